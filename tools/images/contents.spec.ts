import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { isUnneeded } from "../packages/unneeded.ts";
import { contents } from "./contents.ts";

const carries = (image: string, file: string): boolean =>
  !isUnneeded(file.replace("node_modules/", "")) &&
  contents[image]!.data!.some((pattern) => matchesGlob(file, pattern));
const images = ["chat", "standalone"];

it("images contain what every skill compiles at run time", () => {
  const { dependencies } = JSON.parse(
    readFileSync(join(root, "libs/skills/package.json"), "utf8"),
  ) as { dependencies: Record<string, string> };
  const compiled = Object.keys(dependencies).flatMap((name) => {
    // Some packages have builds of the same module for browsers, too.
    const files = globSync(`node_modules/${name}/**/*.wasm`, { cwd: root });
    return files.length === 0 ? [] : [{ name, files }];
  });
  expect(compiled.map(({ name }) => name)).toContain("libpg-query");
  const missing = images.flatMap((image) =>
    compiled
      .filter(({ files }) => !files.some((file) => carries(image, file)))
      .map(({ name }) => `${image}: ${name}`),
  );
  expect(missing).toEqual([]);
});

it("images contain the fonts of created files", () => {
  const source = readFileSync(join(root, "libs/skills/src/fonts.ts"), "utf8");
  const fonts = [...source.matchAll(/"([\w-]+\/\w+\/\w+\.ttf)"/g)].map(
    ([, file]) => `node_modules/@expo-google-fonts/${file}`,
  );
  expect(fonts.length).toBeGreaterThan(3);
  for (const image of images) expect(fonts.filter((file) => !carries(image, file))).toEqual([]);
});
