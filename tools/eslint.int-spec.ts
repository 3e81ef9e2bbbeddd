import { describe, expect, it } from "@jest/globals";
import { ESLint } from "eslint";
import { join } from "node:path";
import { root } from "./checkout.ts";

const eslint = new ESLint({ cwd: root });

/** The rule ids that the repository's configuration reports for a text as if it were this file. */
async function faults(file: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(root, file) });
  return result!.messages.map((one) => one.ruleId ?? one.message);
}
const importing = (...names: string[]): string =>
  names.map((name, i) => `import { value as v${i} } from '${name}';`).join("\n") +
  `\nconsole.log(${names.map((_, i) => `v${i}`).join(", ")});\n`;

describe("the boundary rules report", () => {
  it.each([
    [
      "a service that imports a service",
      "services/chat/src/example.ts",
      importing("@carrel/workspace"),
      ["boundaries/dependencies"],
    ],
    [
      "the same by a relative path",
      "services/chat/src/example.ts",
      importing("../../auth/src/index.ts"),
      ["boundaries/dependencies"],
    ],
    [
      "a gateway that imports a service",
      "apps/gateway/src/example.ts",
      importing("@carrel/auth"),
      ["boundaries/dependencies"],
    ],
    [
      "a web app that imports anything but contracts",
      "apps/web/src/example.ts",
      importing("@carrel/config"),
      ["boundaries/dependencies"],
    ],
    [
      "a library that imports against the arrows",
      "libs/messaging/src/example.ts",
      importing("@carrel/runtime"),
      ["boundaries/dependencies"],
    ],
    [
      "product code that imports the test harness",
      "services/chat/src/example.ts",
      importing("@carrel/testing"),
      ["boundaries/dependencies"],
    ],
    [
      "Redis outside of messaging",
      "services/chat/src/example.ts",
      importing("ioredis", "bullmq"),
      ["no-restricted-imports", "no-restricted-imports"],
    ],
    [
      "an HTTP client outside of egress",
      "services/connectors/src/example.ts",
      `${importing("undici")}void fetch('http://example.org');\n`,
      ["no-restricted-imports", "no-restricted-syntax"],
    ],
    [
      "a reader of the environment outside of config",
      "services/chat/src/example.ts",
      "console.log(process.env.HOME);\n",
      ["no-restricted-syntax"],
    ],
    [
      "any",
      "libs/contracts/src/example.ts",
      "export const value = (input: any): unknown => input;\n",
      ["@typescript-eslint/no-explicit-any"],
    ],
    [
      "a class with more than seven dependencies",
      "services/chat/src/example.ts",
      `export class Example {
        constructor(${Array.from({ length: 8 }, (_, i) => `private readonly d${i}: string`).join()}) {}
      }\n`,
      ["no-restricted-syntax"],
    ],
  ])("%s", async (_what, file, text, expected) => {
    expect(await faults(file, text)).toEqual(expected);
  });

  it("nothing for allowed code", async () => {
    expect(
      await faults(
        "services/chat/src/example.ts",
        importing("@carrel/contracts", "@carrel/messaging", "@carrel/retrieval", "zod") +
          `export class Example {
            constructor(${Array.from({ length: 7 }, (_, i) => `private readonly d${i}: string`).join()}) {}
          }\n`,
      ),
    ).toEqual([]);
    expect(
      await faults(
        "services/chat/src/example.int-spec.ts",
        importing("@carrel/testing", "@carrel/database", "ioredis"),
      ),
    ).toEqual([]);
    expect(
      await faults(
        "apps/standalone/src/example.ts",
        importing("@carrel/auth", "@carrel/gateway", "@carrel/runtime"),
      ),
    ).toEqual([]);
  });
});
