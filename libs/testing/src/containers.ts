import { randomBytes } from "node:crypto";
import { GenericContainer, getContainerRuntimeClient, Wait } from "testcontainers";
import { freePort } from "../../../tools/process.ts";
import type { RedisProcess } from "./redis-process.ts";

/** PostgreSQL in a container; Testcontainers' reaper removes it once this process has ended. */
export async function startPostgresContainer(): Promise<string> {
  const password = randomBytes(12).toString("hex");
  const container = await new GenericContainer("postgres:18-alpine")
    .withEnvironment({
      POSTGRES_USER: "carrel",
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: "carrel",
    })
    .withCommand([
      "postgres",
      "-c",
      "fsync=off",
      "-c",
      "synchronous_commit=off",
      "-c",
      "full_page_writes=off",
      "-c",
      "max_connections=400",
    ])
    .withExposedPorts(5432)
    // The image starts a temporary server to initialize itself; only the second start is the real
    // one.
    .withWaitStrategy(
      Wait.forAll([Wait.forListeningPorts(), Wait.forLogMessage(/ready to accept connections/, 2)]),
    )
    .start();
  return `postgres://carrel:${password}@${container.getHost()}:${container.getMappedPort(5432)}/carrel`;
}

/** Redis in a container, on a fixed port of this machine so that its URL survives restarts. */
export async function startRedisContainer(options: { appendonly: boolean }): Promise<RedisProcess> {
  const [password, port] = [randomBytes(12).toString("hex"), await freePort()];
  const started = await new GenericContainer("redis:7.4-alpine")
    .withCommand([
      "redis-server",
      "--requirepass",
      password,
      "--appendonly",
      options.appendonly ? "yes" : "no",
      "--save",
      "",
      "--maxmemory-policy",
      "noeviction",
    ])
    .withExposedPorts({ container: 6379, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const engine = await getContainerRuntimeClient();
  const handle = engine.container.getById(started.getId());
  let pid = (await handle.inspect()).State.Pid;
  const kill = async (): Promise<void> => {
    if ((await handle.inspect()).State.Running) await handle.kill({ signal: "SIGKILL" });
    await handle.wait();
  };
  return {
    url: `redis://:${password}@${started.getHost()}:${port}`,
    get pid() {
      return pid;
    },
    kill,
    async restart({ keepData }) {
      if (!keepData && (await handle.inspect()).State.Running)
        await started.exec(["sh", "-c", "rm -rf /data/*"]);
      await kill();
      await handle.start();
      pid = (await handle.inspect()).State.Pid;
      for (let reply = ""; !reply.includes("PONG");)
        reply = (await started.exec(["redis-cli", "-a", password, "--no-auth-warning", "PING"]))
          .output;
    },
    stop: async () => {
      await started.stop({ remove: true });
    },
  };
}
