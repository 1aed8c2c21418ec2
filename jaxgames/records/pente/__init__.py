"""Records of Pente as pente.org keeps them."""
