# GPU: docker build -t neuroevo .
#      docker run --rm --gpus all -v "$PWD/outputs:/data/outputs" --user "$(id -u):$(id -g)" neuroevo
# CPU: docker build -t neuroevo:cpu --build-arg BASE=python:3.12-slim --build-arg EXTRA= .
#      docker run --rm -v "$PWD/outputs:/data/outputs" --user "$(id -u):$(id -g)" neuroevo:cpu
# (make ./outputs first, or Docker makes it as root). Words after the image's name replace the default experiment.
ARG BASE=nvidia/cuda:12.9.1-runtime-ubuntu24.04
FROM ${BASE}

# One of the extras in pyproject.toml, or empty for the CPU.
ARG EXTRA=cuda12

# The CUDA images have no Python: take the distribution's (3.12). The python images bring their own.
RUN if ! python3 -c 'import ensurepip, venv'; then \
        apt-get update \
        && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends python3 python3-venv \
        && rm -rf /var/lib/apt/lists/*; \
    fi \
    && python3 -m venv /opt/neuroevo
ENV PATH=/opt/neuroevo/bin:$PATH \
    PIP_NO_CACHE_DIR=1 \
    PYTHONUNBUFFERED=1

# jax and CUDA alone first: gigabytes that need not come again when the code changes.
WORKDIR /opt/source
COPY constraints.txt ./
RUN python -m pip install "jax${EXTRA:+[$EXTRA]}" -c constraints.txt
COPY pyproject.toml README.md LICENSE ./
COPY jaxgames jaxgames
COPY neuroevo neuroevo
COPY conf conf
RUN python -m pip install ".${EXTRA:+[$EXTRA]}" -c constraints.txt

# Anybody may write here, so that the container also runs as the caller's own user (--user), who then owns the results.
RUN useradd --system --home-dir /data --shell /usr/sbin/nologin neuroevo && mkdir -m 1777 /data
ENV HOME=/data \
    USER=neuroevo
WORKDIR /data
USER neuroevo

ENTRYPOINT ["python", "-m", "neuroevo"]
CMD ["+exp=mdrnn_atarigo"]
