import { waitFor } from "@carrel/testing";
import { processes } from "../../../tools/services.ts";
import { Api } from "../api.ts";
import type { Stack } from "./docker.ts";
import { askAboutPump, Load } from "./main-job.ts";

/** Containers with another secret must end, and say why. */
export async function refuseAnotherSecret(stack: Stack): Promise<void> {
  const variable = `CARREL_SECRET=${"another-".repeat(5)}`;
  for (const service of ["chat", "gateway"]) {
    const printed = await stack
      .compose("run", "--rm", "--no-deps", "-T", "-e", variable, service)
      .then(
        () => "it ended without a fault",
        (error: Error) => error.message,
      );
    if (!printed.includes("belongs to an instance with another secret"))
      throw new Error(`${service} with another secret: ${printed}`);
  }
}

/** The steps for Compose in docs/runbooks/rotate-secrets.md, with clients at work. */
export async function rotateSecrets(
  stack: Stack,
  api: Api,
  slug: string,
  say: (words: string) => void,
): Promise<void> {
  const secrets = (...step: string[]): Promise<Buffer> =>
    stack.compose("run", "--rm", "-T", "secrets", "/app/create-secrets.mjs", "/secrets", ...step);
  const inside = (service: string, script: string): Promise<Buffer> =>
    stack.compose("exec", "-T", service, "sh", "-c", script);
  const load = new Load([api.url], slug, true);
  const restart = async (): Promise<void> => {
    for (const service of processes) {
      await stack.compose("up", "-d", "--no-build", "--no-deps", "--force-recreate", service);
      await stack.healthy(service);
    }
    await load.more(1);
  };
  await load.more(1);
  await secrets("--rotate", "next");
  await restart();
  await secrets("--rotate", "swap");
  await restart();
  const printed = (
    await stack.compose("run", "--rm", "--no-deps", "-T", "backup", "rotate-secret")
  ).toString();
  if (!printed.includes("Nothing that the previous secret sealed is left"))
    throw new Error(printed);
  await secrets("--rotate", "end");
  await restart();
  say(`rotated the instance secret: ${load.summary()}`);

  await secrets("--new-password", "postgres");
  await inside(
    "postgres",
    `echo "ALTER ROLE carrel PASSWORD '$(cat /run/secrets/password)'" | psql -q -v ON_ERROR_STOP=1 -U carrel`,
  );
  await secrets("--new-password", "services");
  await stack.compose("run", "--rm", "--no-deps", "-T", "migrate");
  const acl = (change: ">" | "<", file: string, valid: string): Promise<Buffer> =>
    inside(
      "redis",
      `printf "%s%s" "${change}" "$(cat /run/secrets/${file})" |
        REDISCLI_AUTH="$(cat /run/secrets/${valid})" redis-cli -x ACL SETUSER default | grep -x OK`,
    );
  await secrets("--new-password", "redis");
  await acl(">", "password", "password-previous");
  await restart();
  await acl("<", "password-previous", "password");
  await secrets("--drop-previous", "redis");
  await load.more(1);
  await load.stop();
  // A single gateway is away while it restarts, and its clients may get 503 then.
  const faults = load.failures.filter((failure) => !failure.includes(": 503 "));
  if (faults.length > 0) throw new Error(`while secrets were rotated: ${faults.join("; ")}`);
  await load.checkUploads(api);
  await waitFor(
    () =>
      askAboutPump(api, slug).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 120_000, what: "an answer after the rotation" },
  );
  say(`replaced the passwords of PostgreSQL and Redis: ${load.summary()}`);
}
