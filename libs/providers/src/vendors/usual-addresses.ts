/** This machine and, from within a container, its host. */
const hosts = ["127.0.0.1", "localhost", "host.docker.internal", "172.17.0.1"];

/** Where a self-hosted server usually answers (specification 2, section 9). */
export const usualAddresses = (port: number, path = ""): string[] =>
  hosts.map((host) => `http://${host}:${port}${path}`);
