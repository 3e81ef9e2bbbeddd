import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { openPromise } from "yauzl";
import { PlainError } from "../terminal.ts";
import type { Finding, InstalledPackage, Severity } from "./findings.ts";
import { compareSemver } from "./versions.ts";

/** What Carrel reads of an OSV record (https://ossf.github.io/osv-schema, 1.7). */
export interface OsvRecord {
  id: string;
  aliases?: string[];
  summary?: string;
  withdrawn?: string;
  affected?: {
    package?: { ecosystem: string; name: string };
    ranges?: {
      type: string;
      events: { introduced?: string; fixed?: string; last_affected?: string }[];
    }[];
    versions?: string[];
  }[];
  database_specific?: { severity?: string };
}

const levels: Record<string, Severity> = {
  LOW: "low",
  MODERATE: "moderate",
  MEDIUM: "moderate",
  HIGH: "high",
  CRITICAL: "critical",
};

type Affected = NonNullable<OsvRecord["affected"]>[number];

/** Whether a version is affected, and the first later one that isn't. */
function examine(
  { ranges = [], versions = [] }: Affected,
  version: string,
): { isAffected: boolean; fixedIn: string | null } {
  for (const { type, events } of ranges) {
    if (type !== "SEMVER" && type !== "ECOSYSTEM") continue;
    const sorted = events
      .map((event) => ({
        event,
        at: event.introduced ?? event.fixed ?? event.last_affected ?? "0",
      }))
      .sort((one, other) => compareSemver(one.at, other.at));
    let isAffected = false;
    for (const { event, at } of sorted) {
      if (event.introduced !== undefined && compareSemver(at, version) <= 0) isAffected = true;
      if (event.fixed !== undefined && compareSemver(at, version) <= 0) isAffected = false;
      if (event.last_affected !== undefined && compareSemver(at, version) < 0) isAffected = false;
    }
    if (isAffected) {
      const fix = sorted.find(
        ({ event, at }) => event.fixed !== undefined && compareSemver(at, version) > 0,
      );
      return { isAffected, fixedIn: fix?.at ?? null };
    }
  }
  return { isAffected: versions.includes(version), fixedIn: null };
}

export function findInRecord(record: OsvRecord, installed: readonly InstalledPackage[]): Finding[] {
  if (record.withdrawn !== undefined) return [];
  return (record.affected ?? []).flatMap((affected) =>
    installed.flatMap((each) => {
      if (affected.package?.ecosystem !== "npm" || affected.package.name !== each.name) return [];
      const { isAffected, fixedIn } = examine(affected, each.version);
      if (!isAffected) return [];
      return [
        {
          ids: [record.id, ...(record.aliases ?? [])],
          package: each,
          severity: levels[record.database_specific?.severity ?? ""] ?? null,
          title: record.summary ?? record.id,
          fixedIn,
          url: `https://osv.dev/vulnerability/${record.id}`,
        },
      ];
    }),
  );
}

/** The records of a zip of OSV (`<ecosystem>/all.zip`) or of a folder with its files. */
async function* readRecords(path: string): AsyncGenerator<string> {
  if (statSync(path).isDirectory()) {
    for (const file of globSync("**/*.json", { cwd: path }))
      yield readFileSync(join(path, file), "utf8");
    return;
  }
  const zip = await openPromise(path, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry())
      if (entry.fileName.endsWith(".json"))
        yield (await buffer(await zip.openReadStreamPromise(entry))).toString();
  } finally {
    zip.close();
  }
}

/**
 * Finds the installed versions that a downloaded database of OSV names. Throws a PlainError if it
 * isn't about npm: it would find nothing.
 */
export async function searchOsv(
  path: string,
  installed: readonly InstalledPackage[],
): Promise<Finding[]> {
  const byName = Map.groupBy(installed, ({ name }) => name);
  const findings: Finding[] = [];
  let isAboutNpm = false;
  for await (const text of readRecords(path)) {
    const record = JSON.parse(text) as OsvRecord;
    isAboutNpm ||= (record.affected ?? []).some((each) => each.package?.ecosystem === "npm");
    const names = new Set((record.affected ?? []).map((each) => each.package?.name ?? ""));
    const concerned = [...names].flatMap((name) => byName.get(name) ?? []);
    if (concerned.length > 0) findings.push(...findInRecord(record, concerned));
  }
  if (!isAboutNpm) throw new PlainError(`${path} has no OSV records about npm's packages.`);
  return findings;
}
