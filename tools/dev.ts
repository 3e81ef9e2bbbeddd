import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { startBackends } from "./backends.ts";
import { buildBrowserApp } from "./build.ts";
import { instanceSettings, root } from "./checkout.ts";
import { endProcess, freePort } from "./process.ts";
import { packages } from "./sources.ts";
import { PlainError, say } from "./terminal.ts";

interface Part {
  name: string;
  folder: string;
  command: string[];
  healthPort: number | null;
  environment: Record<string, string>;
}

/** Prints a child's lines, each prefixed with its name. */
function show(name: string, child: ChildProcess): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream?.on("data", (data: Buffer) => {
      const lines = (rest + data.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) process.stdout.write(`${name.padEnd(11)} ${line}\n`);
    });
  }
}

/**
 * Runs each service and the gateway as its own process, which restarts when its source or a
 * library's changes, and Vite for the web app.
 */
export async function develop(): Promise<void> {
  const settings = instanceSettings();
  const all = packages();
  const [gatewayPort, webPort] = [await freePort(), settings.port];
  const parts: Part[] = [];
  for (const one of all.filter(
    ({ name, kind }) => kind === "service" || name === "@carrel/gateway",
  )) {
    if (!existsSync(join(one.folder, "src", "main.ts")))
      throw new PlainError(`${one.name} has no src/main.ts.`);
    const healthPort = await freePort();
    const isGateway = one.name === "@carrel/gateway";
    parts.push({
      name: one.name.replace("@carrel/", ""),
      folder: one.folder,
      healthPort,
      command: [
        "--watch",
        "--watch-preserve-output",
        "--import",
        join(root, "tools/swc-hook.mjs"),
        "--conditions=@carrel/source",
        "src/main.ts",
      ],
      environment: {
        CARREL_HEALTH_PORT: String(healthPort),
        ...(isGateway
          ? {
              CARREL_PORT: String(gatewayPort),
              CARREL_PUBLIC_URL: process.env.CARREL_PUBLIC_URL ?? `http://localhost:${webPort}`,
            }
          : {}),
      },
    });
  }
  const web = all.find((one) => one.name === "@carrel/web")!;
  const vite = join(
    dirname(createRequire(join(web.folder, "package.json")).resolve("vite/package.json")),
    "bin",
    "vite.js",
  );
  parts.push({
    name: "web",
    folder: web.folder,
    healthPort: null,
    command: [vite, "--port", String(webPort), "--host", settings.host, "--strictPort"],
    environment: { CARREL_DEV_GATEWAY: `http://127.0.0.1:${gatewayPort}` },
  });

  // The gateway serves the widget's files; after a change, `./carrel build` builds them again.
  await buildBrowserApp("@carrel/widget");
  say("Starting PostgreSQL and Redis");
  const backends = await startBackends();
  // Separate services don't make the secret, which all of them need.
  const key = join(settings.home, "secret.key");
  if (!process.env.CARREL_SECRET && !process.env.CARREL_SECRET_FILE && !existsSync(key))
    writeFileSync(key, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  const children = parts.map((part) => {
    const child = spawn(process.execPath, part.command, {
      cwd: part.folder,
      env: { ...backends.environment, ...part.environment, NODE_OPTIONS: "" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    show(part.name, child);
    return child;
  });

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    say("Stopping");
    // Each child leads its own session; `node --watch` forwards the signal to the program it
    // watches.
    await Promise.all(
      children.map((child) =>
        child.pid && child.exitCode === null && child.signalCode === null
          ? endProcess(child.pid, "SIGTERM", 25_000)
          : null,
      ),
    );
    await backends.stop();
    say("Stopped");
    process.exit(0);
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => void stop());
  children.forEach((child, i) =>
    child.once("exit", (code) => {
      if (!stopping) say(`${parts[i]!.name} exited (code ${code}); the others keep running`);
    }),
  );

  const rows = [
    ["part", "process", "address", "health and metrics"],
    ...parts.map((part, i) => [
      part.name,
      String(children[i]!.pid),
      part.name === "web"
        ? `http://localhost:${webPort}`
        : part.name === "gateway"
          ? `http://127.0.0.1:${gatewayPort}`
          : "",
      part.healthPort ? `http://127.0.0.1:${part.healthPort}/readyz /metrics` : "",
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd()}\n`,
    );
  say(`Web app with hot reload: http://localhost:${webPort}`);
}
