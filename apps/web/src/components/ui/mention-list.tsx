import type { QuestionMention } from "@carrel/contracts";
import { Brain, FileText, Folder } from "lucide-react";

export const mentionIcons = { document: FileText, folder: Folder, model: Brain };

/** What was chosen with `@` for a question, shown in its bubble. */
export default function MentionList({
  label,
  mentions,
}: {
  label: string;
  mentions: readonly QuestionMention[];
}) {
  return (
    <ul className="mb-1.5 flex flex-wrap gap-1.5 whitespace-normal" aria-label={label}>
      {mentions.map(({ kind, name }, index) => {
        const Icon = mentionIcons[kind];
        return (
          <li
            key={index}
            className="inline-flex h-6 max-w-full min-w-0 items-center gap-1.5 rounded-sm border border-line bg-surface px-1.5 text-xs font-medium text-fg-2"
          >
            <Icon className="size-3.5 flex-none stroke-2 text-fg-3" aria-hidden="true" />
            {/* Has its own text direction, so that it doesn't affect the question's. */}
            <span className="max-w-60 truncate" dir="auto" title={name}>
              {name}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
