import { request } from "node:http";

/**
 * Where the Docker client would look: DOCKER_HOST, else the usual socket. Null for what cannot be
 * asked over plain HTTP (ssh, TLS).
 */
function engineAddress(): { socketPath: string } | { host: string; port: number } | null {
  const given = process.env.DOCKER_HOST;
  if (!given) return { socketPath: "/var/run/docker.sock" };
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  if (url.protocol === "unix:") return { socketPath: url.pathname };
  return url.protocol === "tcp:" && !process.env.DOCKER_TLS_VERIFY
    ? { host: url.hostname, port: Number(url.port || 2375) }
    : null;
}

/**
 * Asks the Docker engine itself, for two seconds at most: a client on the PATH says nothing about
 * an engine.
 */
export function dockerAnswers(): Promise<boolean> {
  const address = engineAddress();
  if (!address) return Promise.resolve(false);
  return new Promise((resolve) => {
    const question = request({ ...address, path: "/_ping", timeout: 2000 }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    });
    const limit = setTimeout(() => question.destroy(new Error("no answer within 2 s")), 2000);
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
 * Starts a server by Testcontainers where a Docker engine answers, else, or when that fails (no
 * image in reach), locally.
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
