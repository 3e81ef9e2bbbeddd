import { processes, services } from "../../../tools/services.ts";
import { runDocker, type Stack } from "./docker.ts";

interface Inspected {
  Config: unknown;
  Args: string[];
  HostConfig: {
    Memory: number;
    NanoCpus: number;
    PidsLimit: number;
    LogConfig: { Config: Record<string, string> };
    ExtraHosts: string[] | null;
  };
}

const inspect = async (id: string): Promise<Inspected> =>
  (JSON.parse((await runDocker("inspect", id)).toString()) as [Inspected])[0];

/** Runs a script with Carrel's Node in the container, as the container's user. */
const evaluate = (id: string, script: string): Promise<string> =>
  runDocker("exec", id, "node", "--input-type=module", "-e", script).then((output) =>
    output.toString().trim(),
  );

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Prints each file of /run/secrets with its mode, owner and text. */
const readSecrets = `
  import { readdirSync, readFileSync, statSync } from "node:fs";
  const files = readdirSync("/run/secrets").map((name) => {
    const path = "/run/secrets/" + name;
    const { mode, uid } = statSync(path);
    return [name, { mode: (mode & 0o777).toString(8), uid, text: readFileSync(path, "utf8") }];
  });
  console.log(JSON.stringify(Object.fromEntries(files)));`;

/** Prints the error's code if the host can't be reached or resolved, otherwise "connected". */
const connect = (host: string, port: number): string => `
  import { connect } from "node:net";
  const socket = connect({ host: "${host}", port: ${port}, timeout: 3000 });
  const end = (text) => { console.log(text); process.exit(0); };
  socket.once("connect", () => end("connected")).once("error", (error) => end(error.code)).once("timeout", () => end("timeout"));`;

/**
 * What a running stack must hold: secrets of mode 0400 for one user, a database user for each
 * service, no way from the gateway to PostgreSQL, no password in what `docker inspect` and process
 * lists show, limits and rotated logs. Throws with the first fault.
 */
export async function checkPrivileges(stack: Stack): Promise<void> {
  const [postgres] = await stack.containers("postgres");
  const address = (
    await runDocker(
      "inspect",
      "-f",
      "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}",
      postgres!,
    )
  )
    .toString()
    .trim();
  const passwords = new Set<string>();
  const all: string[] = [];
  for (const name of processes) {
    const [id] = await stack.containers(name);
    all.push(id!);
    const secrets = JSON.parse(await evaluate(id!, readSecrets)) as Record<
      string,
      { mode: string; uid: number; text: string }
    >;
    for (const [file, { mode, uid }] of Object.entries(secrets))
      demand(mode === "400" && uid === 1000, `${name}: ${file} has mode ${mode} and owner ${uid}`);
    const url = secrets["database-url"]?.text;
    demand(secrets["database-owner-url"] === undefined, `${name} has the owner's URL`);
    demand((url === undefined) === (name === "gateway"), `${name}: wrong URL of PostgreSQL`);
    if (url !== undefined) {
      const { username, password } = new URL(url);
      const expected = `carrel_${name.replaceAll("-", "_")}_login`;
      demand(username === expected, `${name} logs in as ${username}`);
      passwords.add(password);
    }
    const reached = await evaluate(id!, connect(address, 5432));
    demand(
      (reached === "connected") === (name !== "gateway"),
      `from ${name} to PostgreSQL: ${reached}`,
    );
    passwords.add(new URL(secrets["redis-url"]!.text).password);
    passwords.add(secrets["instance-secret"]!.text);
  }
  demand(passwords.size === services.length + 2, "services share a password of PostgreSQL");

  for (const name of ["postgres", "redis"]) {
    const [id] = await stack.containers(name);
    all.push(id!);
    const modes = await runDocker("exec", id!, "sh", "-c", "stat -c %a:%u /run/secrets/*");
    demand(
      modes
        .toString()
        .trim()
        .split("\n")
        .every((line) => line === "400:999"),
      `${name}: secrets are ${modes.toString()}`,
    );
    const shown = (await runDocker("exec", id!, "cat", "/run/secrets/password")).toString();
    passwords.add(shown.trim());
  }
  for (const id of all) {
    const container = await inspect(id);
    // The processes of the container as the whole machine sees them, during a health check, too.
    const listed = (await runDocker("top", id, "-eo", "pid,args")).toString();
    const visible = JSON.stringify([container.Config, container.Args]) + listed;
    for (const password of passwords)
      demand(!visible.includes(password), `${id}: a password is visible from outside`);
    const { Memory, NanoCpus, PidsLimit, LogConfig } = container.HostConfig;
    demand(Memory > 0 && NanoCpus > 0 && PidsLimit > 0, `${id} has no limits`);
    demand(LogConfig.Config["max-size"] === "20m", `${id}: logs aren't rotated`);
  }
  const [chat] = await stack.containers("chat");
  demand(
    (await inspect(chat!)).HostConfig.ExtraHosts?.[0] === "host.docker.internal:host-gateway",
    "chat has no name for the machine it runs on",
  );
}
