import { runCommand } from "../process.ts";
import { PlainError } from "../terminal.ts";
import { severities, type Finding, type InstalledPackage, type Severity } from "./findings.ts";
import { isInRange } from "./versions.ts";

/**
 * What Carrel reads of `npm audit --json`, report version 2
 * (https://docs.npmjs.com/cli/v11/commands/npm-audit): per package, the advisories themselves, or
 * names of packages through which it is concerned.
 */
interface AuditReport {
  auditReportVersion?: number;
  vulnerabilities?: Record<
    string,
    {
      name: string;
      via: (
        | string
        | {
            source: number;
            name: string;
            title: string;
            url: string;
            severity: string;
            range: string;
          }
      )[];
    }
  >;
  message?: string;
}

/** The first version after a range such as `>=1.0.0 <1.2.3`, if it has an end. */
const endOf = (range: string): string | null => /<\s*(\d[\w.-]*)/.exec(range)?.[1] ?? null;

/** Advisories of the report that are about an installed version. */
export function findInReport(
  report: AuditReport,
  installed: readonly InstalledPackage[],
): Finding[] {
  return Object.values(report.vulnerabilities ?? {}).flatMap(({ via }) =>
    via.flatMap((advisory) => {
      // The other package has the advisory itself.
      if (typeof advisory === "string") return [];
      const id = /GHSA-[\w-]+|CVE-[\d-]+/.exec(advisory.url)?.[0] ?? `npm:${advisory.source}`;
      return installed
        .filter(({ name, version }) => name === advisory.name && isInRange(version, advisory.range))
        .map((each) => ({
          ids: [id],
          package: each,
          severity:
            severities.find((one) => one === advisory.severity) ?? (null as Severity | null),
          title: advisory.title,
          fixedIn: endOf(advisory.range),
          url: advisory.url,
        }));
    }),
  );
}

function parseReport(output: string): AuditReport {
  try {
    return JSON.parse(output.slice(output.indexOf("{"))) as AuditReport;
  } catch {
    return { message: output.trim().split("\n").at(-1) };
  }
}

/**
 * Asks the registry through npm, which knows its address, credentials, certificates and proxy, about
 * the lock file of a folder. Throws a PlainError if the registry can't be reached or can't tell.
 */
export async function askRegistry(
  folder: string,
  installed: readonly InstalledPackage[],
): Promise<Finding[]> {
  const { output } = await runCommand(
    "npm",
    ["audit", "--package-lock-only", "--json", "--loglevel=silent", "--fetch-retries=1"],
    { cwd: folder, timeoutMs: 120_000 },
  );
  const report = parseReport(output);
  if (report.auditReportVersion !== 2)
    throw new PlainError(
      `npm's registry gave no advisories: ${report.message ?? "an unknown kind of report"}\nWhat to do: run this where the registry can be reached, or download https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip there and pass it with --osv.`,
    );
  return findInReport(report, installed);
}
