import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { waitFor } from "@carrel/testing";

export const root = resolve(import.meta.dirname, "../../..");

const answers = (command: string, args: string[], text = ""): boolean => {
  const { status, stdout } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, DOCKER_BUILDKIT: "1" },
  });
  return status === 0 && stdout.includes(text);
};

/** A Docker client that can use BuildKit, which newer clients need a plugin for; null without one. */
const docker =
  [process.env.CARREL_DOCKER ?? "docker", "/usr/bin/docker"].find((path) =>
    answers(path, ["build", "--help"], "--secret"),
  ) ?? null;
const compose = answers(docker ?? "docker", ["compose", "version"])
  ? [docker!, "compose"]
  : ["docker-compose"];

/** Returns what is missing on this machine, or null. */
export function missingDocker(): string | null {
  if (docker === null) return "a Docker client with BuildKit (apt-get install docker.io)";
  if (!answers(docker, ["info"])) return "a running Docker engine (dockerd)";
  return answers(compose[0]!, [...compose.slice(1), "version"])
    ? null
    : "Docker Compose (apt-get install docker-compose)";
}

/** Runs a program and returns its output; if it fails, throws with the end of the output. */
export function run(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; input?: Buffer } = {},
): Promise<Buffer> {
  return new Promise((done, reject) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...options.env } });
    const [output, errors]: Buffer[][] = [[], []];
    child.stdout.on("data", (data: Buffer) => output!.push(data));
    child.stderr.on("data", (data: Buffer) => errors!.push(data));
    // A program that ends before it has read everything says why itself.
    child.stdin.on("error", () => undefined).end(options.input);
    child.once("error", reject).once("close", (code) => {
      if (code === 0) return done(Buffer.concat(output!));
      const said = Buffer.concat([...output!, ...errors!])
        .toString()
        .slice(-4_000);
      reject(new Error(`${command} ${args.join(" ")} ended with ${code}:\n${said}`));
    });
  });
}

export const runDocker = (...args: string[]): Promise<Buffer> => run(docker!, args);
export const runDockerWith = (input: Buffer, ...args: string[]): Promise<Buffer> =>
  run(docker!, args, { input });

export async function hasImage(name: string): Promise<boolean> {
  return runDocker("image", "inspect", name).then(
    () => true,
    () => false,
  );
}

/**
 * Names of the images that Compose and the Dockerfile start from, without their digests, which
 * stand-ins can't have.
 */
export function stockImages(): Record<"node" | "postgresql" | "redis" | "qdrant", string> {
  const images = JSON.parse(readFileSync(join(root, "deploy/images.json"), "utf8")) as Record<
    "node" | "postgresql" | "redis" | "qdrant",
    { image: string }
  >;
  return {
    node: images.node.image,
    postgresql: images.postgresql.image,
    redis: images.redis.image,
    qdrant: images.qdrant.image,
  };
}

/** Pulls the base images, or makes stand-ins where the registry can't be reached. */
export async function ensureBaseImages(names: string[]): Promise<void> {
  for (const name of names)
    if (!(await hasImage(name)))
      await runDocker("pull", "-q", name).catch(() =>
        run("sh", [join(root, "tools/images/base-images.sh")], { env: { CARREL_DOCKER: docker! } }),
      );
}

/** Builds one target of the Dockerfile in a folder. */
export async function buildImage(target: string, tag: string, folder: string): Promise<void> {
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const secret =
    certificates && existsSync(certificates) ? ["--secret", `id=ca,src=${certificates}`] : [];
  await run(
    docker!,
    [
      ...[
        "build",
        "--network",
        "host",
        ...secret,
        "--build-arg",
        `NODE_IMAGE=${stockImages().node}`,
      ],
      ...["--target", target, "-t", tag, folder],
    ],
    {
      env: { DOCKER_BUILDKIT: "1" },
    },
  );
}

/** Size of a container's file system without its volumes, in MB. */
export async function unpackedSize(image: string): Promise<number> {
  const { Size } = (
    JSON.parse((await runDocker("image", "inspect", image)).toString()) as [{ Size: number }]
  )[0];
  return Math.round(Size / 1e6);
}

/** The Compose stack, under its own project name. */
export class Stack {
  constructor(
    readonly project: string,
    private readonly env: Record<string, string>,
  ) {}
  set(values: Record<string, string>): void {
    Object.assign(this.env, values);
  }
  compose(...args: string[]): Promise<Buffer> {
    return this.composeWith(undefined, ...args);
  }
  composeWith(input: Buffer | undefined, ...args: string[]): Promise<Buffer> {
    const file = join(root, "deploy/compose/compose.yaml");
    return run(
      compose[0]!,
      [
        ...compose.slice(1),
        "-p",
        this.project,
        "--project-directory",
        join(file, ".."),
        "-f",
        file,
      ].concat(args),
      { env: this.env, input },
    );
  }
  /** Ids of the service's running containers. */
  async containers(service: string): Promise<string[]> {
    const ids = await runDocker(
      "ps",
      "-q",
      "--filter",
      `label=com.docker.compose.project=${this.project}`,
      "--filter",
      `label=com.docker.compose.service=${service}`,
    );
    return ids.toString().split("\n").filter(Boolean);
  }
  /** Waits until that many containers of the service run, all of them ready. */
  async healthy(service: string, count = 1): Promise<void> {
    await waitFor(
      async () => {
        const ids = await this.containers(service);
        if (ids.length !== count) return false;
        const states = await runDocker("inspect", "-f", "{{.State.Health.Status}}", ...ids);
        return states
          .toString()
          .trim()
          .split("\n")
          .every((state) => state === "healthy");
      },
      { timeoutMs: 180_000, what: `${count} healthy ${service}` },
    );
  }
}
