import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { freePort, runCommand } from "../process.ts";

it("a build without its registry fails with the reason and what to do", async () => {
  const registry = `http://127.0.0.1:${await freePort()}/`;
  const { code, output } = await runCommand("sh", [join(root, "tools/images/find-registry.sh")], {
    env: { ...process.env, npm_config_registry: registry },
  });
  expect(code).toBe(1);
  expect(output).toContain("ECONNREFUSED");
  expect(output).toContain(`The npm registry ${registry} doesn't answer, or refuses.`);
  expect(output).toContain("--secret id=ca");
});

it("Compose hands both build secrets to every image that it builds", () => {
  const compose = (file: string): string =>
    readFileSync(join(root, "deploy/compose", file), "utf8");
  const built = [...compose("compose.yaml").matchAll(/^ {2}([\w-]+):\n(?: {4}.*\n)*? {4}build:/gm)];
  const names = built.map(([, name]) => name);
  const overlay = compose("compose.build.yaml");
  expect(names.length).toBeGreaterThan(5);
  expect([...overlay.matchAll(/^ {2}([\w-]+): \*build$/gm)].map(([, name]) => name)).toEqual(names);
  const mounted = [
    ...readFileSync(join(root, "Dockerfile"), "utf8").matchAll(/type=secret,id=(\w+)/g),
  ];
  expect(overlay).toContain(
    `secrets: [${mounted
      .map(([, id]) => id)
      .toSorted()
      .join(", ")}]`,
  );
});
