import type { Inspection } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Field, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { Disclosure } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { facetsQuery, useTryRetrieval, type Trial } from "../api/inspection.ts";
import { InspectionView, SidePanel } from "./inspection-view.tsx";

/** Field values of a trial; empty means the workspace's setting. */
interface TrialFields {
  question: string;
  previous: string;
  mode: "hybrid" | "text" | "dense";
  rerank: "default" | "on" | "off";
  maxResults: string;
  minScore: string;
  folder: string;
  type: string;
  tag: string;
  from: string;
  until: string;
  expansion: boolean;
}
const emptyTrial: TrialFields = {
  question: "",
  previous: "",
  mode: "hybrid",
  rerank: "default",
  maxResults: "",
  minScore: "",
  folder: "",
  type: "",
  tag: "",
  from: "",
  until: "",
  expansion: true,
};

const clamp = (text: string, min: number, max: number): number | undefined =>
  text.trim() !== "" && Number.isFinite(Number(text))
    ? Math.min(max, Math.max(min, Number(text)))
    : undefined;

/** The trial in wire format, without empty fields. */
function trialOf(fields: TrialFields): Trial {
  const topN = clamp(fields.maxResults, 1, 100);
  const similarityThreshold = clamp(fields.minScore, 0, 1);
  return {
    question: fields.question.trim(),
    mode: fields.mode,
    expansion: fields.expansion,
    ...(fields.previous.trim() ? { previousQuestion: fields.previous.trim() } : {}),
    ...(fields.rerank === "default" ? {} : { rerank: fields.rerank === "on" }),
    ...(topN === undefined ? {} : { topN: Math.trunc(topN) }),
    ...(similarityThreshold === undefined ? {} : { similarityThreshold }),
    filter: {
      ...(fields.folder ? { folders: [fields.folder] } : {}),
      ...(fields.type ? { types: [fields.type] } : {}),
      ...(fields.tag ? { tags: [fields.tag] } : {}),
      ...(fields.from ? { addedFrom: fields.from } : {}),
      ...(fields.until ? { addedUntil: fields.until } : {}),
    },
  };
}

/** Tests what a question finds in a workspace, and shows why. */
export default function TrialPanel({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { t } = useTranslation("inspection");
  const facets = useQuery(facetsQuery(slug)).data;
  const [fields, setFields] = useState<TrialFields>(emptyTrial);
  const [more, setMore] = useState(false);
  const [found, setFound] = useState<Inspection | null>(null);
  const search = useTryRetrieval(slug);
  const questionId = useId();
  const set = (change: Partial<TrialFields>): void =>
    setFields((before) => ({ ...before, ...change }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (fields.question.trim() !== "") search.mutate(trialOf(fields), { onSuccess: setFound });
  };
  const options = (values: { value: string; documents: number }[] | undefined) =>
    (values ?? []).map(({ value, documents }) => (
      <option key={value} value={value}>
        {t("counted", { value, number: formatNumber(documents) })}
      </option>
    ));
  return (
    <SidePanel title={t("tryTitle")} onClose={onClose}>
      <form className="mb-6 grid grid-cols-1 gap-4" onSubmit={submit}>
        <p className="text-fg-2">{t("tryHelp")}</p>
        <Field>
          <FieldLabel htmlFor={questionId}>{t("question")}</FieldLabel>
          <Textarea
            className="py-1.75"
            id={questionId}
            rows={2}
            dir="auto"
            maxLength={20_000}
            placeholder={t("questionPlaceholder")}
            value={fields.question}
            onChange={(event) => set({ question: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }
            }}
          />
        </Field>
        <Disclosure label={t("more")} open={more} onToggle={() => setMore(!more)}>
          <TextField
            label={t("previous")}
            dir="auto"
            maxLength={20_000}
            value={fields.previous}
            onChange={(event) => set({ previous: event.target.value })}
          />
          <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
            <SelectField
              label={t("mode")}
              value={fields.mode}
              onChange={(mode) => set({ mode: mode as TrialFields["mode"] })}
            >
              {(["hybrid", "text", "dense"] as const).map((mode) => (
                <option key={mode} value={mode}>
                  {t(`modes.${mode}`)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t("rerank")}
              value={fields.rerank}
              onChange={(rerank) => set({ rerank: rerank as TrialFields["rerank"] })}
            >
              {(["default", "on", "off"] as const).map((choice) => (
                <option key={choice} value={choice}>
                  {t(`rerankChoices.${choice}`)}
                </option>
              ))}
            </SelectField>
            <TextField
              label={t("most")}
              type="number"
              min={1}
              max={100}
              value={fields.maxResults}
              onChange={(event) => set({ maxResults: event.target.value })}
            />
            <TextField
              label={t("least")}
              type="number"
              min={0}
              max={1}
              step={0.05}
              value={fields.minScore}
              onChange={(event) => set({ minScore: event.target.value })}
            />
            <SelectField
              label={t("folder")}
              value={fields.folder}
              onChange={(folder) => set({ folder })}
            >
              <option value="">{t("any")}</option>
              {options(facets?.folders)}
            </SelectField>
            <SelectField label={t("type")} value={fields.type} onChange={(type) => set({ type })}>
              <option value="">{t("any")}</option>
              {options(facets?.types)}
            </SelectField>
            <SelectField label={t("tag")} value={fields.tag} onChange={(tag) => set({ tag })}>
              <option value="">{t("any")}</option>
              {options(facets?.tags)}
            </SelectField>
            <span />
            <TextField
              label={t("from")}
              type="date"
              value={fields.from}
              onChange={(event) => set({ from: event.target.value })}
            />
            <TextField
              label={t("until")}
              type="date"
              value={fields.until}
              onChange={(event) => set({ until: event.target.value })}
            />
          </div>
          <label className="inline-flex min-h-6 items-center gap-2 text-xs/5 text-fg-2 max-md:min-h-11">
            <input
              type="checkbox"
              checked={fields.expansion}
              onChange={(event) => set({ expansion: event.target.checked })}
            />
            {t("expansion")}
          </label>
        </Disclosure>
        <div>
          <Button
            type="submit"
            variant="primary"
            disabled={search.isPending || fields.question.trim() === ""}
          >
            {search.isPending ? t("searching") : t("search")}
          </Button>
        </div>
        {search.error && (
          <Notice kind="bad">
            <p>{t("tryFailed", { message: search.error.message })}</p>
          </Notice>
        )}
      </form>
      {found && <InspectionView slug={slug} inspection={found} isTrial />}
    </SidePanel>
  );
}
