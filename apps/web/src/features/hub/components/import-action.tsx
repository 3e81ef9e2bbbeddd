import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField } from "../../../components/ui/text-field.tsx";
import { ApiError } from "../../../lib/api.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { useApplyItem, useInstallSkill, type PreviewedItem } from "../api/hub.ts";

export interface Done {
  type: PreviewedItem["item"]["itemType"];
  name: string;
  state: "created" | "updated" | "unchanged";
  target: string;
}

/** The preview, and the button that does what it shows. */
export function ImportAction({
  importId,
  previewed: { item, preview, digest, fault },
  isStale,
  workspace,
  onWorkspace,
  onLookAgain,
  onDone,
  children,
}: {
  importId: string;
  previewed: PreviewedItem;
  /** The preview is of another workspace than the chosen one. */
  isStale: boolean;
  workspace: string;
  onWorkspace: (slug: string) => void;
  onLookAgain: () => void;
  onDone: (done: Done) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("hub");
  const workspaces = useQuery({ ...workspacesQuery, enabled: preview.type === "system-prompt" });
  const apply = useApplyItem();
  const install = useInstallSkill();
  const { isPending, error } = preview.type === "agent-skill" ? install : apply;
  const replaces = preview.type === "slash-command" && preview.state === "taken";
  const run = (): void => {
    const onSuccess = ({ state, target }: Pick<Done, "state" | "target">): void =>
      onDone({ type: item.itemType, name: item.name, state, target });
    if (preview.type === "agent-skill") install.mutate({ importId, digest }, { onSuccess });
    else
      apply.mutate(
        {
          importId,
          options: {
            digest,
            replace: replaces,
            ...(workspace !== "" && { workspaceSlug: workspace }),
          },
        },
        { onSuccess },
      );
  };
  const isSame = "state" in preview && preview.state === "same";
  const isReady =
    fault === null && !isSame && !isStale && (preview.type !== "system-prompt" || workspace !== "");
  const hasChanged = error instanceof ApiError && error.fault?.code === "hub.item-changed";
  return (
    <>
      {preview.type === "system-prompt" && (
        <SelectField label={t("prompt.workspace")} value={workspace} onChange={onWorkspace}>
          <option value="">{t("prompt.choose")}</option>
          {(workspaces.data ?? []).map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {children}
      {fault !== null && (
        <Notice kind="warn">
          <FaultText fault={fault} fallback={t("import.refused")} />
        </Notice>
      )}
      {error && (
        <Notice
          kind="bad"
          action={
            hasChanged && (
              <Button size="sm" onClick={onLookAgain}>
                {t("import.lookAgain")}
              </Button>
            )
          }
        >
          {error.message}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={!isReady || isPending} onClick={run}>
          {isPending ? t("import.busy") : t(actionOf(preview))}
        </Button>
      </div>
    </>
  );
}

function actionOf(preview: PreviewedItem["preview"]) {
  switch (preview.type) {
    case "system-prompt":
      return "prompt.apply";
    case "slash-command":
      return preview.state === "taken" ? "command.replace" : "command.add";
    case "agent-flow":
      return preview.state === "changed" ? "flow.update" : "flow.import";
    case "agent-skill":
      return "skill.install";
  }
}
