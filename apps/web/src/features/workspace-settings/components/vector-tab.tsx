import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { ScanSearch } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { useResetVectors, useUpdateWorkspace, vectorCountQuery } from "../api/workspace.ts";
import {
  changeOf,
  recommendedSnippets,
  savedOf,
  similarityLevels,
  useDraft,
  valuesOf,
} from "../state/workspace-form.ts";
import { ChoiceList, Fact, Facts, SettingsForm } from "./settings-form.tsx";

/** What is indexed, how much of it goes into an answer, and the reset button. */
export function VectorTab({ workspace, onTry }: { workspace: WorkspaceWire; onTry: () => void }) {
  const { t } = useTranslation("workspace");
  const { slug } = workspace;
  const draft = useDraft(valuesOf(workspace));
  const { values, faults, set } = draft;
  const vectors = useQuery(vectorCountQuery(slug));
  const [asked, setAsked] = useState(false);
  const update = useUpdateWorkspace(slug);
  const reset = useResetVectors(slug);
  const save = async () => {
    const before = savedOf(draft.changed, workspace);
    await update.mutateAsync(changeOf(draft.changed, values));
    draft.settle(values);
    return () => update.mutateAsync(before);
  };
  const levels = similarityLevels.map(({ name, value }) => ({
    value: String(value),
    name: t(`similarity.${name}`),
    help:
      value > 0
        ? t("scoreAtLeast", { score: formatNumber(value, 2).padEnd(4, "0") })
        : t("similarity.noneHelp"),
  }));
  const custom = String(workspace.similarityThreshold);
  if (!levels.some(({ value }) => value === custom))
    levels.push({
      value: custom,
      name: t("similarity.custom"),
      help: t("similarity.customHelp", { score: formatNumber(workspace.similarityThreshold, 4) }),
    });
  return (
    <SettingsForm
      label={t("tab.vector-database")}
      changes={draft.changed.length}
      faults={Object.keys(faults).length}
      onSave={save}
      onDiscard={draft.discard}
    >
      <FormSection title={t("stored")}>
        <Facts>
          <Fact name={t("identifier")}>
            <code className="font-mono text-[0.93em] truncate" dir="ltr">
              {slug}
            </code>
            <CopyButton text={() => slug} />
          </Fact>
          <Fact name={t("vectorCount")}>
            <span role="status">
              {vectors.error
                ? t("unknownCount")
                : vectors.data === undefined
                  ? "…"
                  : formatNumber(vectors.data)}
            </span>
          </Fact>
        </Facts>
      </FormSection>
      <FormSection title={t("searching")}>
        <TextField
          label={t("snippets")}
          className="max-w-[200px] max-md:max-w-none"
          type="number"
          inputMode="numeric"
          min={1}
          max={100}
          step={1}
          value={values.topN}
          help={t("snippetsHelp", { recommended: recommendedSnippets })}
          problem={faults.topN && t(`fault.${faults.topN}`)}
          onChange={(event) => set({ topN: event.target.value })}
        />
        <ChoiceList
          label={t("similarityLabel")}
          value={values.similarityThreshold}
          options={levels}
          onChange={(similarityThreshold) => set({ similarityThreshold })}
        />
        <p className="text-fg-3 text-xs">{t("similarityHelp")}</p>
        <ChoiceList
          label={t("ranking.label")}
          value={values.vectorSearchMode}
          options={(["default", "rerank"] as const).map((value) => ({
            value,
            name: t(`ranking.${value}`),
            help: t(`ranking.${value}Help`),
          }))}
          onChange={(vectorSearchMode) => set({ vectorSearchMode })}
        />
        <div className="flex items-center gap-2 flex-wrap">
          <Button className="max-md:h-11" onClick={onTry}>
            <ScanSearch className="size-3.5 stroke-2" aria-hidden="true" />
            {t("trySearch")}
          </Button>
          <p className="text-fg-3 text-xs">{t("trySearchHelp")}</p>
        </div>
      </FormSection>
      <FormSection title={t("resetTitle")} help={t("resetHelp")}>
        <div>
          <Button
            className="aria-disabled:cursor-default aria-disabled:bg-hover aria-disabled:text-fg-2 max-md:h-11"
            variant="danger"
            aria-disabled={reset.isPending /* `disabled` would lose the focus */}
            onClick={() => {
              if (!reset.isPending) setAsked(true);
            }}
          >
            {reset.isPending ? t("resetting") : t("resetOpen")}
          </Button>
        </div>
        {asked && (
          <ConfirmDialog
            open
            title={t("resetAsk", { name: workspace.name })}
            text={t("resetText")}
            action={t("resetOpen")}
            onClose={() => setAsked(false)}
            onConfirm={() => {
              setAsked(false);
              return reset.mutateAsync(undefined, { onSuccess: () => toast.success(t("reset")) });
            }}
          />
        )}
      </FormSection>
    </SettingsForm>
  );
}
