import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunningStandalone, startStandalone } from "@carrel/standalone";
import { prepareHome, startBackends, type Backends } from "./backends.ts";
import { ensureBuilt } from "./build.ts";
import { bundleFolder } from "./bundle.ts";
import { findSecretFault, instanceSettings } from "./checkout.ts";
import { claimHome, startedByNpm } from "./data-folder.ts";
import { listenFault, sleep } from "./process.ts";
import { PlainError, say } from "./terminal.ts";

interface Standalone {
  startStandalone: typeof startStandalone;
}
/** `@carrel/standalone` as bundled by the build. */
const standalone = pathToFileURL(join(bundleFolder, "standalone.js")).href;

/** Loopback and wildcard addresses are shown as localhost. */
function shownUrl(host: string, port: number): string {
  const name = ["127.0.0.1", "0.0.0.0", "::1", "::", "localhost"].includes(host)
    ? "localhost"
    : host.includes(":")
      ? `[${host}]`
      : host;
  return `http://${name}:${port}`;
}

/** Calls back when npm, which started this process, has ended without forwarding a signal. */
function onOrphaned(callback: () => void): void {
  if (!startedByNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      callback();
    }
  }, 500);
  timer.unref();
}

/** Why the address cannot be used, and what to do. */
function refusedAddress(fault: string, host: string, port: number): string {
  if (fault === "EADDRINUSE")
    return `Port ${port} is in use by another program.\nWhat to do: stop that program, or choose another port, for example: CARREL_PORT=${port + 1} npm start`;
  if (fault === "EACCES")
    return `This user isn't allowed to use port ${port}.\nWhat to do: choose a port above 1023, for example: CARREL_PORT=3001 npm start`;
  return `Can't listen on ${host}, port ${port} (${fault}).\nWhat to do: set CARREL_HOST to an address of this machine, for example: CARREL_HOST=127.0.0.1 npm start`;
}

/**
 * How long the services may take to stop; with the servers, that is less than 15 s, or than what
 * CARREL_DRAIN_SECONDS allows answers and another 20 s. CARREL_STOP_DELAY_SECONDS comes before.
 */
function servicesMs(): number {
  const [drain, delay] = ["CARREL_DRAIN_SECONDS", "CARREL_STOP_DELAY_SECONDS"].map((name) =>
    Number(process.env[name] || "0"),
  ) as [number, number];
  return delay * 1_000 + (drain > 0 ? drain * 1_000 + 14_500 : 9_500);
}

/**
 * Starts the whole product and stays until SIGINT or SIGTERM; then stops the services first, Redis
 * and PostgreSQL after them.
 */
export async function start(): Promise<void> {
  const { home, host, port } = instanceSettings();
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new PlainError(
      `CARREL_PORT is "${process.env.CARREL_PORT}", which isn't a port.\nWhat to do: set a number from 1 to 65535.`,
    );
  const secretFault = findSecretFault(home);
  if (secretFault !== null) throw new PlainError(secretFault);
  prepareHome(home);
  const release = await claimHome(home);
  const fault = port === 0 ? null : await listenFault(port, host);
  if (fault !== null) {
    release();
    throw new PlainError(refusedAddress(fault, host, port));
  }

  let backends: Promise<Backends> | undefined;
  let running: RunningStandalone | undefined;
  let stopping: Promise<void> | undefined;
  const stop = (reason: string): Promise<void> =>
    (stopping ??= (async () => {
      say(reason);
      appendFileSync(join(home, "carrel.pid"), "stopping\n");
      // Finish starting first, so that everything can be stopped.
      await starting.catch(() => undefined);
      // What the services leave unfinished is due again at the next start.
      if (running) await Promise.race([running.stop(), sleep(servicesMs())]);
      await stopBackends();
      release();
    })());
  // A backend that failed to start has cleaned up after itself.
  const stopBackends = async (): Promise<void> => (await backends?.catch(() => undefined))?.stop();
  const finish = (reason: string, code: number) =>
    void stop(reason).then(
      () => {
        say("Stopped");
        process.exit(code);
      },
      (error: Error) => {
        say(`Stopping failed: ${error.message}`);
        process.exit(1);
      },
    );
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => finish("Stopping", 0));
  onOrphaned(() => finish("npm has exited, stopping", 0));

  const starting = (async () => {
    say("Starting Carrel");
    backends = startBackends();
    backends.catch(() => undefined); // reported where it is awaited
    await ensureBuilt();
    if (stopping) return;
    const [{ startStandalone }, { environment }] = await Promise.all([
      import(standalone) as Promise<Standalone>,
      backends,
    ]);
    if (stopping) return;
    // Files that services write are for this user only, except those that are published.
    const umask = process.umask(0o077).toString(8).padStart(3, "0");
    running = await startStandalone({ CARREL_UMASK: umask, ...environment }).catch(
      (error: Error) => {
        // The bundle has its own copies of these classes, so compare names.
        const isPlain = ["UnfinishedRestoreError", "AnotherSecretError"].includes(error.name);
        throw isPlain ? new PlainError(error.message) : error;
      },
    );
  })();
  try {
    await starting;
  } catch (error) {
    if (!stopping) {
      stopping = stopBackends().then(release);
      await stopping;
    }
    throw error;
  }
  if (stopping) return;
  process.stdout.write(`Carrel is ready at ${shownUrl(host, running!.port)}\n`);
  const warning = await running!.warning;
  if (warning !== null) say(warning);
}
