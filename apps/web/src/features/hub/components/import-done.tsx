import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { typeKey } from "../state/hub-search.ts";
import type { Done } from "./import-action.tsx";

/** What an import has done, and where that is. */
export function ImportDone({ done, onNext }: { done: Done; onNext: () => void }) {
  const { t } = useTranslation("hub");
  const { type, name, state, target } = done;
  const key = typeKey[type];
  return (
    <section className="grid justify-items-start gap-2 rounded-md border border-line p-6">
      <CircleCheck className="size-6 text-success" aria-hidden="true" />
      <h2 className="font-semibold" role="status">
        {state === "unchanged" ? t("done.unchanged") : t("done.title", { name })}
      </h2>
      <p className="text-fg-2">{t(`done.${key}`, { command: target })}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {type === "system-prompt" && (
          <Link
            className={buttonStyles({ variant: "primary" })}
            to="/workspace/$workspaceSlug/settings/$tab"
            params={{ workspaceSlug: target, tab: "chat-settings" }}
          >
            {t("done.openWorkspace")}
          </Link>
        )}
        {type === "agent-flow" && (
          <Link
            className={buttonStyles({ variant: "primary" })}
            to="/settings/agents/builder/{-$flowId}"
            params={{ flowId: target }}
          >
            {t("done.openFlow")}
          </Link>
        )}
        {type === "agent-skill" && (
          <Link
            className={buttonStyles({ variant: "primary" })}
            to="/settings/agents"
            search={{ view: "plugins", plugin: target }}
          >
            {t("done.openPlugin")}
          </Link>
        )}
        <Button onClick={onNext}>{t("done.next")}</Button>
      </div>
    </section>
  );
}
