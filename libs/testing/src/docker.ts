import { request } from "node:http";

/**
 * Where the Docker client would connect: DOCKER_HOST, or the default socket. Null for anything that
 * plain HTTP can't reach (ssh, TLS).
 */
function engineAddress(): { socketPath: string } | { host: string; port: number } | null {
  const host = process.env.DOCKER_HOST;
  if (!host) return { socketPath: "/var/run/docker.sock" };
  if (!URL.canParse(host)) return null;
  const url = new URL(host);
  if (url.protocol === "unix:") return { socketPath: url.pathname };
  return url.protocol === "tcp:" && !process.env.DOCKER_TLS_VERIFY
    ? { host: url.hostname, port: Number(url.port || 2375) }
    : null;
}

/**
 * Pings the Docker engine itself, for two seconds at most: a client on the PATH does not imply a
 * running engine.
 */
export function dockerAnswers(): Promise<boolean> {
  const address = engineAddress();
  if (!address) return Promise.resolve(false);
  return new Promise((resolve) => {
    const question = request({ ...address, path: "/_ping", timeout: 2000 }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    });
    const limit = setTimeout(() => question.destroy(new Error("no response within 2 s")), 2000);
    question
      .once("error", () => resolve(false))
      .once("close", () => {
        clearTimeout(limit);
        resolve(false);
      });
    question.end();
  });
}

let answer: Promise<boolean> | undefined;

/**
 * Starts a server with Testcontainers if a Docker engine answers. Without one, or if that fails
 * (image unavailable), starts it locally.
 */
export async function byContainerOrLocally<T>(
  what: string,
  container: () => Promise<T>,
  local: () => Promise<T>,
): Promise<T> {
  if (!(await (answer ??= dockerAnswers()))) return local();
  try {
    return await container();
  } catch (error) {
    process.stderr.write(
      `${what}: the Docker engine answers, but the container did not start (${(error as Error).message}); a local server is used\n`,
    );
    return local();
  }
}
