import { PlainError } from "../terminal.ts";

export const severities = ["low", "moderate", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

/** A package of npm or Debian in a certain version, and where it is. */
export interface InstalledPackage {
  name: string;
  version: string;
  /** A lock file's path or the name of an image. */
  place: string;
  /** Only development needs it. */
  isDevelopment: boolean;
}

export interface Finding {
  /** GHSA-…, CVE-… */
  ids: string[];
  package: InstalledPackage;
  /** Null if the source names none. */
  severity: Severity | null;
  title: string;
  /** The first version without it, or null if there is none yet. */
  fixedIn: string | null;
  url: string;
}

/** A finding that is known and accepted until a day. */
export interface Exception {
  id: string;
  package: string;
  reason: string;
  /** The last day, such as 2027-01-31; at most a year ahead. */
  expires: string;
}

const dayMs = 86_400_000;

/** Reads the list of exceptions. Throws a PlainError that names every entry that is wrong. */
export function parseExceptions(text: string, today: Date): Exception[] {
  const entries = JSON.parse(text) as Partial<Exception>[];
  const faults = entries.flatMap((entry, index) => {
    const where = `${entry.id ?? `entry ${index + 1}`}`;
    const expires = Date.parse(entry.expires ?? "");
    if (!entry.id || !entry.package) return [`${where} needs an id and a package`];
    if ((entry.reason ?? "").trim().length < 20) return [`${where} needs a reason`];
    if (!/^\d{4}-\d\d-\d\d$/.test(entry.expires ?? "") || Number.isNaN(expires))
      return [`${where} needs a date on which it expires, such as 2027-01-31`];
    if (expires > today.getTime() + 366 * dayMs) return [`${where} is for more than a year`];
    return [];
  });
  if (faults.length > 0) throw new PlainError(`Exceptions:\n${faults.join("\n")}`);
  return entries as Exception[];
}

export interface Verdict {
  /** What fails the check. */
  failing: Finding[];
  /** Below the level, without a fix, or only for development. */
  noted: Finding[];
  accepted: { finding: Finding; exception: Exception }[];
  /** Exceptions that have expired, or that nothing needs any more. */
  stale: { exception: Exception; why: "expired" | "unused" }[];
}

/**
 * Divides findings. A finding fails the check if it is at least as severe as `level` (or of unknown
 * severity) and has a fix; without one only if `failUnfixed`.
 */
export function judge(
  findings: readonly Finding[],
  exceptions: readonly Exception[],
  options: { today: Date; level: Severity; failUnfixed: boolean },
): Verdict {
  const verdict: Verdict = { failing: [], noted: [], accepted: [], stale: [] };
  const isExpired = ({ expires }: Exception): boolean =>
    options.today.getTime() >= Date.parse(expires) + dayMs;
  const used = new Set<Exception>();
  for (const finding of findings) {
    const exception = exceptions.find(
      (each) => each.package === finding.package.name && finding.ids.includes(each.id),
    );
    if (exception !== undefined) used.add(exception);
    if (exception !== undefined && !isExpired(exception))
      verdict.accepted.push({ finding, exception });
    else if (
      !finding.package.isDevelopment &&
      (finding.severity === null ||
        severities.indexOf(finding.severity) >= severities.indexOf(options.level)) &&
      (finding.fixedIn !== null || options.failUnfixed)
    )
      verdict.failing.push(finding);
    else verdict.noted.push(finding);
  }
  for (const exception of exceptions)
    if (isExpired(exception)) verdict.stale.push({ exception, why: "expired" });
    else if (!used.has(exception)) verdict.stale.push({ exception, why: "unused" });
  return verdict;
}
