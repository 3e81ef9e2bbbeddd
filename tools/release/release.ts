import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../process.ts";
import { PlainError, say } from "../terminal.ts";
import { releaseNotes } from "./changelog.ts";
import { checkCosign, signBlob, signImages } from "./cosign.ts";
import { Draft } from "./draft.ts";
import type { ImageTools } from "./images.ts";
import { listImage, listNpmPackages } from "./lists.ts";
import type { ReleasedImage, ReleasePlan } from "./plan.ts";
import { readSigningKey, signSums, writeSums } from "./signature.ts";

/** The targets of the Dockerfile that are published. */
export const targets = [
  "gateway",
  "auth",
  "workspace",
  "chat",
  "connectors",
  "sync-worker",
  "ingest",
  "standalone",
];

const imageName = ({ registry }: ReleasePlan, target: string, version: string): string =>
  `${registry}carrel${target === "standalone" ? "" : `-${target}`}:${version}`;

async function git(checkout: string, ...args: string[]): Promise<string> {
  const { code, output } = await runCommand("git", args, { cwd: checkout });
  if (code !== 0) throw new PlainError(`git ${args.join(" ")} failed:\n${output.trim()}`);
  return output.trim();
}

interface Commit {
  hash: string;
  /** ISO 8601. */
  date: string;
}

const chartFile = "deploy/helm/carrel/Chart.yaml";
const fieldOf = (chart: string, name: string): string | undefined =>
  new RegExp(`^${name}: "?([^"\\n]+)"?$`, "m").exec(chart)?.[1];

/** The chart's version in the newest release before this one; null if that had no chart. */
async function previousChart(
  checkout: string,
  version: string,
): Promise<{ tag: string; version: string | undefined } | null> {
  const tags = await git(
    checkout,
    ...["tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname"],
  );
  const tag = tags.split("\n").find((each) => each !== `v${version}`) ?? "";
  if (tag === "" || (await git(checkout, "ls-tree", "--name-only", tag, chartFile)) === "")
    return null;
  return { tag, version: fieldOf(await git(checkout, "show", `${tag}:${chartFile}`), "version") };
}

/** Throws a PlainError with everything that speaks against releasing this commit as this version. */
async function checkCheckout(checkout: string, version: string): Promise<Commit> {
  const faults: string[] = [];
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    faults.push(`package.json: "${version}" isn't a version, such as 1.2.3`);
  const read = (file: string): string => readFileSync(join(checkout, file), "utf8");
  const locked = (JSON.parse(read("package-lock.json")) as { version: string }).version;
  if (locked !== version) faults.push(`package-lock.json has version ${locked}: run npm install`);
  const chart = read(chartFile);
  const appVersion = fieldOf(chart, "appVersion");
  if (appVersion !== version) faults.push(`${chartFile} has appVersion ${appVersion}`);
  const previous = await previousChart(checkout, version);
  const chartVersion = fieldOf(chart, "version");
  if (chartVersion === previous?.version)
    faults.push(`${chartFile} has version ${chartVersion}, as in ${previous!.tag}: raise it`);
  const changed = await git(checkout, "status", "--porcelain");
  if (changed !== "") faults.push(`there are uncommitted changes:\n${changed}`);
  const hash = await git(checkout, "rev-parse", "HEAD");
  const tags = await git(checkout, "tag", "--list", `v${version}`);
  if (tags !== "" && (await git(checkout, "rev-list", "-n", "1", `v${version}`)) !== hash)
    faults.push(`the tag v${version} is on another commit: this version is published`);
  if (faults.length > 0)
    throw new PlainError(`This checkout can't be released as ${version}:\n${faults.join("\n")}`);
  return { hash, date: await git(checkout, "show", "-s", "--format=%cI", "HEAD") };
}

async function buildImages(
  names: ReadonlyMap<string, string>,
  version: string,
  { hash, date }: Commit,
  tools: ImageTools,
  folder: string,
): Promise<ReleasedImage[]> {
  const built: ReleasedImage[] = [];
  for (const [target, image] of names) {
    const id = await tools.build(target, image, {
      "org.opencontainers.image.title": image.slice(image.lastIndexOf("/") + 1).split(":")[0]!,
      "org.opencontainers.image.version": version,
      "org.opencontainers.image.revision": hash,
      "org.opencontainers.image.licenses": "MIT",
    });
    const { sbom, debian, osRelease } = await tools.read(image);
    const file = `carrel-${target}-${version}.cdx.json`;
    writeJson(join(folder, file), listImage(sbom, debian, osRelease, date));
    built.push({ image, id, published: null, sbom: file });
  }
  return built;
}

const writeJson = (file: string, value: unknown): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 1)}\n`);

/**
 * Makes a release in `folder`: images, lists of their software, the sources, notes, checksums and
 * their signature. What an interrupted run of the same release built and pushed is used, and so is
 * a folder that was made without pushing. Returns the version. Throws a PlainError if something
 * speaks against it; before the images are built, that leaves no folder.
 */
export async function release(plan: ReleasePlan, tools: ImageTools): Promise<string> {
  const { checkout, folder } = plan;
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    version: string;
  };
  const commit = await checkCheckout(checkout, version);
  const changes = readFileSync(join(checkout, "CHANGELOG.md"), "utf8");
  const notes = releaseNotes(changes, version, plan.dryRun);
  const key = plan.key === undefined ? null : readSigningKey(plan.key);
  if (plan.cosignKey !== undefined) await checkCosign(plan.cosignKey);
  const names = new Map(targets.map((target) => [target, imageName(plan, target, version)]));
  const draft = new Draft(folder, { version, commit: commit.hash, names: [...names.values()] });
  if (plan.push && !draft.isPushing)
    for (const image of names.values())
      if (await tools.isPublished(image))
        throw new PlainError(
          `${image} is published.\nWhat to do: a published version never changes; release the next one.`,
        );
  let images = draft.open(plan);
  const unfinished = draft.folder;
  try {
    if (images === null) {
      writeFileSync(join(unfinished, "RELEASE-NOTES.md"), notes);
      writeJson(
        join(unfinished, `carrel-npm-${version}.cdx.json`),
        listNpmPackages(version, commit.date),
      );
      const sources = join(unfinished, `carrel-${version}.tar.gz`);
      await git(
        checkout,
        ...["archive", "--format=tar.gz", `--prefix=carrel-${version}/`, "-o", sources, "HEAD"],
      );
      images = plan.dryRun ? [] : await buildImages(names, version, commit, tools, unfinished);
      draft.save(images);
    } else say(`Continuing with the images in ${unfinished}`);
    if (plan.push) await draft.push(images, tools);
    await writeSums(unfinished);
    if (key !== null) signSums(unfinished, key);
    if (plan.cosignKey !== undefined) {
      await signBlob(unfinished, plan.cosignKey);
      await signImages(unfinished, images, plan.cosignKey);
    }
    draft.finish();
  } catch (error) {
    throw draft.fail(error);
  }
  say(
    plan.dryRun
      ? `A dry run: would build ${[...names.values()].join(", ")}`
      : `Built ${targets.length} images${plan.push ? " and pushed them" : ""}`,
  );
  return version;
}
