import { PlainError } from "../terminal.ts";

const operatorsHeading = "For operators";
const unreleased = "Unreleased";

export interface ChangelogSection {
  /** `Unreleased`, or a version. */
  name: string;
  /** Of a version, such as `2026-11-30`. */
  date: string | null;
  /** Markdown without the heading. */
  text: string;
}

/** The sections of CHANGELOG.md, newest first. */
export function readChangelog(text: string): ChangelogSection[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf("\n");
      const [name = "", date = null] = section.slice(0, end).trim().split(/,? +/);
      return { name, date, text: section.slice(end).trim() };
    });
}

/** The entries under a section's heading, as they are written. */
export function entriesUnder(section: ChangelogSection, heading: string): string[] {
  const part = section.text.split(/^### /m).find((each) => each.split("\n")[0]!.trim() === heading);
  return (part ?? "").split("\n").filter((line) => line.startsWith("- "));
}

/** What a section lacks to be released; empty if nothing. Every release tells operators something. */
export function findChangelogFaults(section: ChangelogSection): string[] {
  const first = /^### (.+)$/m.exec(section.text)?.[1];
  return [
    ...(first === operatorsHeading ? [] : [`doesn't begin with "### ${operatorsHeading}"`]),
    ...(entriesUnder(section, operatorsHeading).length > 0
      ? []
      : [`has no entry under "### ${operatorsHeading}"`]),
    ...(section.name !== unreleased && !/^\d{4}-\d\d-\d\d$/.test(section.date ?? "")
      ? ["has no date, as in ## 1.2.3, 2026-11-30"]
      : []),
  ];
}

/**
 * The notes of a version, as Markdown. Throws a PlainError if the change log isn't ready for it;
 * for a dry run, the section of what isn't released will do.
 */
export function releaseNotes(text: string, version: string, dryRun = false): string {
  const sections = readChangelog(text);
  const section =
    sections.find(({ name }) => name === version) ??
    (dryRun ? sections.find(({ name }) => name === unreleased) : undefined);
  if (section === undefined)
    throw new PlainError(
      `CHANGELOG.md has no section for ${version}.\nWhat to do: rename "## ${unreleased}" to "## ${version}, <date>", and commit.`,
    );
  const faults = findChangelogFaults(section);
  if (faults.length > 0)
    throw new PlainError(`The section ${version} of CHANGELOG.md ${faults.join(", and ")}.`);
  return `# Carrel ${version}\n\n${section.text}\n`;
}
