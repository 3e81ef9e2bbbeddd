import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../checkout.ts";
import { PlainError } from "../terminal.ts";
import { findInTracker, readTracker } from "./debian-tracker.ts";
import { judge, parseExceptions, severities, type Finding, type Verdict } from "./findings.ts";
import { listLocked, readDpkg, readSbom } from "./installed.ts";
import { askRegistry } from "./npm-audit.ts";
import { searchOsv } from "./osv.ts";

const usage = `Usage: ./carrel vulnerabilities [--osv <zip or folder>] [--sbom <file>…] [--dpkg <path>…]
         [--debian <file>] [--suite trixie] [--level moderate] [--unfixed] [--exceptions <file>]

Checks npm's packages in package-lock.json against the advisories of npm's registry, or without a
network against a downloaded database of OSV (npm/all.zip). Checks Debian's packages, in the lists
that ./carrel release wrote of its images (--sbom) or in the dpkg status of any image (--dpkg),
against Debian's security tracker, or a downloaded copy (--debian).

Fails for what has a fix and is at least of this level or of unknown severity, unless only
development needs it; with --unfixed also for what has no fix yet. Exceptions, each with a reason
and the day on which it expires, are in tools/vulnerabilities/exceptions.json.

Exit codes: 0 nothing, 1 something to fix or couldn't be checked.`;

const options = {
  osv: { type: "string" },
  sbom: { type: "string", multiple: true, default: [] as string[] },
  dpkg: { type: "string", multiple: true, default: [] as string[] },
  debian: { type: "string" },
  suite: { type: "string", default: "trixie" },
  level: { type: "string", default: "moderate" },
  unfixed: { type: "boolean", default: false },
  exceptions: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

const describe = ({
  ids,
  package: { name, version, place },
  severity,
  fixedIn,
  title,
}: Finding): string =>
  `${(severity ?? "unknown").padEnd(9)} ${name} ${version}  ${ids[0]!}  ${fixedIn === null ? "no fix yet" : `fixed in ${fixedIn}`}\n          ${title} (${place})`;

function report({ failing, noted, accepted, stale }: Verdict, isListed: boolean): string[] {
  return [
    ...failing.map(describe),
    ...accepted.map(
      ({ finding, exception }) =>
        `accepted  ${finding.package.name} ${finding.package.version}  ${exception.id} until ${exception.expires}: ${exception.reason}`,
    ),
    ...stale.map(
      ({ exception, why }) =>
        `${why.padEnd(9)} exception ${exception.id} of ${exception.package}: remove it`,
    ),
    ...(isListed ? noted.map((each) => `noted     ${describe(each)}`) : []),
    `${failing.length} to fix, ${accepted.length} accepted, ${noted.length} noted${noted.length > 0 && !isListed ? " (no fix yet, below the level or only for development; --unfixed lists them)" : ""}`,
  ];
}

/** Runs the check from this folder's lock file, and sets the exit code. */
export async function checkVulnerabilities(
  args: readonly string[],
  today = new Date(),
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) return void process.stdout.write(`${usage}\n`);
  for (const file of [values.osv, values.debian, ...values.sbom, ...values.dpkg])
    if (file !== undefined && !existsSync(file)) throw new PlainError(`There is no ${file}.`);
  const level = severities.find((each) => each === values.level);
  if (level === undefined) throw new PlainError(`--level is one of ${severities.join(", ")}.`);
  const file = values.exceptions ?? join(root, "tools/vulnerabilities/exceptions.json");
  const exceptions = existsSync(file) ? parseExceptions(readFileSync(file, "utf8"), today) : [];

  const images = values.sbom.map((each) => readSbom(resolve(each)));
  const npm = [...listLocked(), ...images.flatMap((each) => each.npm)];
  const findings =
    values.osv === undefined
      ? await askRegistry(root, npm)
      : await searchOsv(resolve(values.osv), npm);
  const debian = [
    ...images.flatMap((each) => each.debian),
    ...values.dpkg.flatMap((each) => readDpkg(resolve(each))),
  ];
  if (debian.length > 0)
    findings.push(...findInTracker(await readTracker(values.debian), debian, values.suite));
  const verdict = judge(findings, exceptions, { today, level, failUnfixed: values.unfixed });
  for (const line of [
    `Checked ${npm.length} packages of npm and ${debian.length} of Debian.`,
    ...report(verdict, values.unfixed),
  ])
    process.stdout.write(`${line}\n`);
  if (verdict.failing.length > 0 || verdict.stale.some(({ why }) => why === "expired"))
    process.exitCode = 1;
}
