import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { root } from "./checkout.ts";
import { runCommand } from "./process.ts";

const importing = (...names: string[]): string =>
  names.map((name, i) => `import { value as v${i} } from '${name}';`).join("\n") +
  `\nconsole.log(${names.map((_, i) => `v${i}`).join(", ")});\n`;
const depending = (count: number): string =>
  `export class Example {
    constructor(${Array.from({ length: count }, (_, i) => `private readonly d${i}: string`).join()}) {}
  }\n`;

/** What it is, its file, its text, and the rules that it breaks. */
const examples: [string, string, string, string[]][] = [
  [
    "a service that imports a service",
    "services/chat/src/example.ts",
    importing("@carrel/workspace"),
    ["boundaries(dependencies)"],
  ],
  [
    "the same by a relative path",
    "services/chat/src/example.ts",
    importing("../../auth/src/index.ts"),
    ["boundaries(dependencies)"],
  ],
  [
    "a gateway that imports a service",
    "apps/gateway/src/example.ts",
    importing("@carrel/auth"),
    ["boundaries(dependencies)"],
  ],
  [
    "a web app that imports anything but contracts",
    "apps/web/src/example.ts",
    importing("@carrel/config"),
    ["boundaries(dependencies)"],
  ],
  [
    "a library that imports against the arrows",
    "libs/messaging/src/example.ts",
    importing("@carrel/runtime"),
    ["boundaries(dependencies)"],
  ],
  [
    "product code that imports the test harness",
    "services/chat/src/example.ts",
    importing("@carrel/testing"),
    ["boundaries(dependencies)"],
  ],
  [
    "Redis outside of messaging",
    "services/chat/src/example.ts",
    importing("ioredis", "bullmq"),
    ["eslint(no-restricted-imports)", "eslint(no-restricted-imports)"],
  ],
  [
    "an HTTP client outside of egress",
    "services/connectors/src/example.ts",
    `${importing("undici")}void fetch('http://example.org');\n`,
    ["eslint(no-restricted-imports)", "carrel(restricted-syntax)"],
  ],
  [
    "a reader of the environment outside of config",
    "services/chat/src/example.ts",
    "console.log(process.env.HOME);\n",
    ["carrel(restricted-syntax)"],
  ],
  [
    "any",
    "libs/contracts/src/example.ts",
    "export const value = (input: any): unknown => input;\n",
    ["typescript(no-explicit-any)"],
  ],
  [
    "texts that are cut within a character",
    "services/chat/src/example.ts",
    `const maxLength = 80;
    export const cut = (title: string, room: number, source: { text: string }): string[] => [
      title.slice(0, 300),
      title.trim().slice(0, maxLength),
      title.substring(0, room - 1),
      source.text.slice(0, maxLength),
      [...title].slice(0, 80).join(""),
    ];\n`,
    Array.from({ length: 5 }, () => "carrel(restricted-syntax)"),
  ],
  [
    "texts that are split where something was found, and lists",
    "services/chat/src/example.ts",
    `export const split = (title: string, names: string[]): unknown[] => [
      title.slice(0, title.indexOf(" ")),
      names.slice(0, 300),
      [...names].slice(0, 80).join(", "),
    ];\n`,
    [],
  ],
  [
    "a class with more than seven dependencies",
    "services/chat/src/example.ts",
    depending(8),
    ["carrel(restricted-syntax)"],
  ],
  [
    "a query in lower case",
    "services/chat/src/example.ts",
    "export const query = 'select id from turn where id = $1';\n",
    ["carrel(sql-style)"],
  ],
  [
    "a slice that imports one above it",
    "services/chat/src/thread/example.ts",
    importing("../answer/example.ts"),
    ["eslint(no-restricted-imports)"],
  ],
  [
    "a slice that imports its service's module",
    "services/chat/src/thread/example.ts",
    importing("../chat.module.ts"),
    ["eslint(no-restricted-imports)"],
  ],
  [
    "a private name outside of the files with keys",
    "services/chat/src/example.ts",
    "export class Example {\n  #key = 1;\n  read = (): number => this.#key;\n}\n",
    ["carrel(restricted-syntax)", "carrel(restricted-syntax)"],
  ],
  [
    "a feature that imports another one",
    "apps/web/src/features/chat/example.ts",
    importing("../documents/example.ts"),
    ["eslint(no-restricted-imports)"],
  ],
  [
    "a hook that is called on a condition",
    "apps/web/src/example.tsx",
    "import { useId } from 'react';\nexport const useExample = (on: boolean) => (on ? useId() : null);\n",
    ["react-hooks(rules-of-hooks)"],
  ],
  [
    "an effect that lacks a dependency",
    "apps/web/src/example.tsx",
    "import { useEffect } from 'react';\nexport const useExample = (on: boolean) => useEffect(() => console.log(on), []);\n",
    ["react-hooks(exhaustive-deps)"],
  ],
  [
    "an assertion that checks once",
    "apps/web/test/example.pw.ts",
    "void expect(await locator.count()).toBe(1);\n",
    ["carrel(restricted-syntax)"],
  ],
  [
    "nothing in allowed imports of a service",
    "services/chat/src/example.ts",
    importing("@carrel/contracts", "@carrel/messaging", "@carrel/retrieval", "zod") + depending(7),
    [],
  ],
  [
    "nothing in allowed imports of a test",
    "services/chat/src/example.int-spec.ts",
    importing("@carrel/testing", "@carrel/database", "ioredis"),
    [],
  ],
  [
    "a text in a component, and none in a mark",
    "apps/web/src/components/example.tsx",
    `export const Example = () => (
      <p title="A text">
        Another <b className="font-medium">·</b> {"and one more"}
      </p>
    );
`,
    Array<string>(3).fill("carrel(restricted-syntax)"),
  ],
  [
    "nothing in allowed imports of the whole product",
    "apps/standalone/src/example.ts",
    importing("@carrel/auth", "@carrel/gateway", "@carrel/runtime"),
    [],
  ],
];

/** Each example gets its own file name, so one run can lint them all. */
const pathOf = (file: string, n: number): string => file.replace("example", `example-${n}`);
let folder: string;
const found = new Map<string, string[]>();

/**
 * Oxlint lints files only, and in this checkout the checks beside the tests would find these. So they
 * are in a folder with the configuration and what it reads.
 */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "carrel-lint-"));
  const configuration = globSync(
    [
      "oxlint.config.ts",
      "tools/*lint-*",
      "tools/import-resolver.cjs",
      "{libs,services,apps}/*/package.json",
      "{e2e,clients/typescript}/package.json",
      "{libs,services,apps}/*/src/index.ts",
    ],
    { cwd: root },
  );
  for (const file of configuration) cpSync(join(root, file), join(folder, file));
  for (const parent of globSync(["services/*/src/*/", "apps/web/src/features/*/"], { cwd: root }))
    mkdirSync(join(folder, parent), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  examples.forEach(([, file, text], n) => {
    const path = join(folder, pathOf(file, n));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  });
  const files = examples.map(([, file], n) => pathOf(file, n));
  const { output } = await runCommand(
    process.execPath,
    [join(root, "node_modules/oxlint/bin/oxlint"), "--format=json", ...files],
    { cwd: folder, env: { ...process.env, NODE_OPTIONS: "" } },
  );
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { code: string; filename: string }[];
  };
  for (const { code, filename } of diagnostics)
    found.set(filename, [...(found.get(filename) ?? []), code]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(examples.map((example, n) => [...example, n] as const))(
  "the linter reports %s",
  (_what, file, _text, rules, n) => {
    expect(found.get(pathOf(file, n)) ?? []).toEqual(rules);
  },
);
