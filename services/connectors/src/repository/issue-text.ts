import type { Comment, ListedIssue } from "./repository-host.ts";

const day = (time: string): string => time.slice(0, 10);

/** An issue with its comments as Markdown. */
export function writeIssue(
  { number, title, author, state, labels, createdAt, body }: ListedIssue,
  comments: readonly Comment[],
): string {
  const facts = [
    `Issue ${number}, ${state}, opened by ${author} on ${day(createdAt)}.`,
    ...(labels.length > 0 ? [`Labels: ${labels.join(", ")}.`] : []),
  ];
  return [
    `# ${title}`,
    facts.join(" "),
    body ?? "",
    ...comments.map((each) => `## ${each.author} on ${day(each.createdAt)}\n\n${each.body}`),
  ]
    .filter((part) => part.trim() !== "")
    .join("\n\n");
}
