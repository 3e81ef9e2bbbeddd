import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "@jest/globals";

const root = resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const variable = /\b[A-Z][A-Z0-9_]{4,}/g;

/** The variables in the configuration schemas with the source of their rule. */
const shapes = new Map(
  [
    "libs/config/src/instance-shape.ts",
    ...globSync("{services,apps}/*/src/*.config.ts", { cwd: root }),
  ].flatMap((file) =>
    [...read(file).matchAll(/^ {2}([A-Z][A-Z0-9_]+): ((?:.|\n(?! {2}[A-Z}/]|}))+)/gm)].map(
      (match) => [match[1]!, match[2]!] as const,
    ),
  ),
);

/** Rows of the tables of variables: names, default, meaning. */
const rows = read("docs/configuration.md")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, names = "", value = ""]) => ({
    names: names.match(variable) ?? [],
    value: value.replaceAll("`", ""),
  }));

it("docs/configuration.md lists every variable, and no other", () => {
  expect(shapes.size).toBeGreaterThan(25);
  const told = new Set(
    rows.flatMap(({ names }) => names).filter((name) => name !== "CARREL_SETTING_"),
  );
  expect([...told].sort()).toEqual([...shapes.keys()].sort());
});

it("docs/configuration.md states the actual defaults", () => {
  for (const { names, value } of rows) {
    const rule = names.length === 1 ? shapes.get(names[0]!) : undefined;
    const number = /\.default\(([\d_]+)\)/.exec(rule ?? "")?.[1]?.replaceAll("_", "");
    if (number !== undefined) expect([names[0], value]).toEqual([names[0], number]);
  }
});

const files = globSync("{libs,services,apps,tools,e2e,bench,docs}/**/*.{ts,tsx,mjs,json,md}", {
  cwd: root,
  exclude: (name) =>
    ["node_modules", "dist"].includes(typeof name === "string" ? name.split("/").at(-1)! : ""),
});

const decisions = globSync("docs/decisions/*.md", { cwd: root }).filter(
  (file) => !file.endsWith("/README.md"),
);

const pages = [
  "ARCHITECTURE.md",
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...globSync("docs/{,notes/}*.md", { cwd: root }).filter(
    (file) => file !== "docs/wire-contract.md",
  ),
];

it.each([...pages, ...decisions])("every path that %s names exists", (document) => {
  const text = read(document);
  const named = [...text.matchAll(/`([\w@.-]+(?:\/[\w@.-]+)+\/?|[\w-]+\.tsx?)`/g)]
    .map((match) => match[1]!)
    .filter(
      (path) =>
        !path.startsWith("@") && /^(libs|services|apps|tools|e2e|bench|docs)\/|\.tsx?$/.test(path),
    );
  const linked = [...text.matchAll(/\]\(([^):#]+)\)|src="([^":]+)"/g)].map(
    (match) => match[1] ?? match[2]!,
  );
  if (document === "ARCHITECTURE.md") expect(named.length).toBeGreaterThan(25);
  const missing = [...named, ...linked].filter(
    (path) =>
      !existsSync(join(root, path)) &&
      !existsSync(resolve(root, dirname(document), path)) &&
      !path.includes("/dist/") &&
      !files.some((file) => file.endsWith(`/${path}`)),
  );
  expect(missing).toEqual([]);
});

it("the code cites only existing decisions", () => {
  const dangling = files
    .filter((file) => !file.startsWith("docs/"))
    .concat("oxlint.config.ts", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
    .flatMap((file) =>
      [...read(file).matchAll(/\bdecisions?[ /]([\w-]*\d{4}[\w-]*|[\w-]+\.md)/g)]
        .filter(([, name]) => !existsSync(join(root, "docs/decisions", name!)))
        .map(([citation]) => `${file}: ${citation}`),
    );
  expect(dangling).toEqual([]);
});

it.each(decisions)("%s is dated and says what would change it", (file) => {
  const text = read(file);
  expect(text).toMatch(/^# .+\n\nStatus: accepted \d{4}-\d\d-\d\d/);
  const headings = [...text.matchAll(/^## (\w+)/gm)].map((match) => match[1]);
  expect(headings).toEqual(expect.arrayContaining(["Context", "Decision", "What"]));
  // More belongs in docs/notes.
  expect(text.split("\n").length).toBeLessThanOrEqual(65);
});

it("the index lists every decision once, and nothing else", () => {
  const listed = [...read("docs/decisions/README.md").matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)];
  expect(listed.map((match) => `docs/decisions/${match[1]}`).sort()).toEqual([...decisions].sort());
});

it("the code cites only existing sections of the wire contract", () => {
  const contract = read("docs/wire-contract.md");
  const sections = new Set([...contract.matchAll(/^#+ ([\d.]+?)\.? /gm)].map(([, n]) => n!));
  const dangling = files
    .filter((file) => !file.startsWith("docs/openapi"))
    .flatMap((file) =>
      [...read(file).matchAll(/wire-contract(?:\.md)? (\d+(?:\.\d+)?)/g)]
        .filter(([, section]) => !sections.has(section!))
        .map(([citation]) => `${file}: ${citation}`),
    );
  expect(dangling).toEqual([]);
});

it("ARCHITECTURE lists the slices of every service", () => {
  const mapped = [...read("ARCHITECTURE.md").matchAll(/^\| `services\/([\w-]+)`\s+\| (.+) \|$/gm)];
  const slices = mapped.flatMap(([, service, names]) =>
    [...names!.matchAll(/`([\w-]+)`/g)].map(([, slice]) => `services/${service}/src/${slice}`),
  );
  const folders = readdirSync(join(root, "services")).flatMap((service) =>
    readdirSync(join(root, "services", service, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "database")
      .map((entry) => `services/${service}/src/${entry.name}`),
  );
  expect(slices.sort()).toEqual(folders.sort());
});

it.each(["One question, from the browser to the answer", "One upload"])(
  "ARCHITECTURE follows '%s' through at most 25 files",
  (heading) => {
    const section = read("ARCHITECTURE.md").split(`## ${heading}\n`)[1]!.split(/^## /m)[0]!;
    const walkthrough = section.split("**Details**")[0]!;
    const named = new Set([...walkthrough.matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, path]) => path));
    expect(named.size).toBeGreaterThan(15);
    expect(named.size).toBeLessThanOrEqual(25);
  },
);
