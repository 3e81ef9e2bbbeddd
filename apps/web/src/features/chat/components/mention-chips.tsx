import { Bot, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { mentionIcons } from "../../../components/ui/mention-list.tsx";
import { chip } from "../../../components/ui/styles.ts";
import { removeMention, type Mention } from "../state/mentions.ts";

/**
 * The documents to which the question being written is restricted, the model that answers it, and
 * whether it is for the agent.
 */
export default function MentionChips({
  draftKey,
  mentions,
  hasAgent,
}: {
  draftKey: string;
  mentions: readonly Mention[];
  /** The question begins with `@agent`. */
  hasAgent: boolean;
}) {
  const { t } = useTranslation("chat");
  return (
    <ul className="flex flex-wrap gap-1.5 px-3 pt-2.5" aria-label={t("mentioned")} data-mentions>
      {hasAgent && (
        <li className={chip}>
          <Bot className="size-3.5 flex-none stroke-2 text-fg-3" aria-hidden="true" />
          <b>{t("mentionAgent")}</b>
          <span className="truncate text-fg-3">{t("mentionAgentHelp")}</span>
        </li>
      )}
      {mentions.map((mention) => {
        const Icon = mentionIcons[mention.kind];
        return (
          <li key={`${mention.kind} ${mention.id}`} className={`${chip} pe-0.5 max-md:pe-0.5`}>
            <Icon className="size-3.5 flex-none stroke-2 text-fg-3" aria-hidden="true" />
            <b title={mention.name}>{mention.name}</b>
            <button
              type="button"
              className="grid size-6 flex-none place-items-center rounded-[4px] text-fg-3 hover:bg-active hover:text-fg-1 max-md:size-8"
              aria-label={t("mentionRemove", { name: mention.name })}
              onClick={() => removeMention(draftKey, mention)}
            >
              <X className="size-3 stroke-2" aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
