import { readFileSync } from "node:fs";
import type { DebianPackage } from "../images/debian-packages.ts";
import { PlainError } from "../terminal.ts";
import type { Finding, Severity } from "./findings.ts";
import { compareDebian } from "./versions.ts";

const address = "https://security-tracker.debian.org/tracker/data/json";

/** What Carrel reads of the security tracker's data: by source package and CVE. */
export type TrackerData = Record<
  string,
  Record<
    string,
    {
      description?: string;
      /** By Debian's release, such as `trixie`. */
      releases?: Record<
        string,
        {
          status: "open" | "resolved" | "undetermined";
          /** `0`: this release was never affected. */
          fixed_version?: string;
          urgency?: string;
        }
      >;
    }
  >
>;

const urgencies: Record<string, Severity> = { low: "low", medium: "moderate", high: "high" };

/** A Debian package, and which image it is in. */
export interface PlacedPackage extends DebianPackage {
  place: string;
}

/** Open vulnerabilities of installed packages in a release of Debian; Debian's "unimportant" ones aren't. */
export function findInTracker(
  data: TrackerData,
  installed: readonly PlacedPackage[],
  suite: string,
): Finding[] {
  const findings = installed.flatMap(({ source, sourceVersion, place }) =>
    Object.entries(data[source] ?? {}).flatMap(([id, { description, releases }]) => {
      const state = releases?.[suite];
      if (state === undefined || state.urgency === "unimportant") return [];
      if (state.status === "undetermined") return [];
      const fixedIn = state.status === "resolved" ? (state.fixed_version ?? "0") : null;
      if (fixedIn !== null && compareDebian(sourceVersion, fixedIn) >= 0) return [];
      return [
        {
          ids: [id],
          package: { name: source, version: sourceVersion, place, isDevelopment: false },
          severity: urgencies[state.urgency ?? ""] ?? null,
          title: (description ?? id).slice(0, 160),
          fixedIn,
          url: `https://security-tracker.debian.org/tracker/${id}`,
        },
      ];
    }),
  );
  // One source has several packages in an image.
  const key = (each: Finding): string =>
    [each.ids[0], each.package.name, each.package.version].join(" ");
  return [...new Map(findings.map((each) => [key(each), each])).values()];
}

/** Reads the tracker's data from a file or, without one, from Debian. */
export async function readTracker(file: string | undefined): Promise<TrackerData> {
  if (file !== undefined) {
    const data = JSON.parse(readFileSync(file, "utf8")) as TrackerData;
    const isTracker = Object.values(data).some((each) =>
      Object.values(each).some(({ releases }) => releases !== undefined),
    );
    if (!isTracker) throw new PlainError(`${file} isn't data of Debian's security tracker.`);
    return data;
  }
  try {
    const reply = await fetch(address, { signal: AbortSignal.timeout(120_000) });
    if (!reply.ok) throw new Error(`status ${reply.status}`);
    return (await reply.json()) as TrackerData;
  } catch (error) {
    const { message, cause } = error as Error;
    throw new PlainError(
      `Debian's security tracker couldn't be read: ${cause instanceof Error ? cause.message : message}\nWhat to do: download ${address} where it can be reached, and pass it with --debian.`,
    );
  }
}
