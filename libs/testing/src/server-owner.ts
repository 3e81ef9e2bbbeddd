import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { guardedFolder } from "./guard.ts";
import { startSharedPostgres } from "./shared-postgres.ts";

const variable = "CARREL_TEST_SERVERS";

/**
 * Makes this process the owner of servers that all test workers of a run share. A server starts
 * when the first worker asks for it, so a run of unit tests starts none, and all of them end with
 * this process. Returns a function that stops listening.
 */
export function ownServers(): Promise<() => void> {
  const path = join(guardedFolder("carrel-test-run-"), "owner.sock");
  const started = new Map<string, Promise<string>>();
  const starters: Record<string, () => Promise<string>> = { postgres: startSharedPostgres };
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    void text(socket).then(async (name) => {
      const start = starters[name];
      if (!start) return socket.end(JSON.stringify({ error: `no server called ${name}` }));
      if (!started.has(name)) started.set(name, start());
      return started.get(name)!.then(
        (url) => socket.end(JSON.stringify({ url })),
        (error: Error) => socket.end(JSON.stringify({ error: error.message })),
      );
    });
  });
  listener.unref();
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(path, () => {
      process.env[variable] = path;
      resolve(() => listener.close());
    });
  });
}

/** Asks the run's owner for a server's URL; null if this process is not part of such a run. */
export async function askServerOwner(name: string): Promise<string | null> {
  const path = process.env[variable];
  if (!path) return null;
  const socket = connect({ path, allowHalfOpen: true });
  socket.end(name);
  const answer = JSON.parse(await text(socket)) as { url?: string; error?: string };
  if (!answer.url) throw new Error(`the test run's ${name} server did not start: ${answer.error}`);
  return answer.url;
}
