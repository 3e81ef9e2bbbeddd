import {
  quotingProvider,
  threadModelsLabel,
  threadTitlesLabel,
  type ProviderDeclaration,
} from "@carrel/contracts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Check, ChevronsUpDown } from "lucide-react";
import { Suspense, useEffect, useEffectEvent, useState, type FormEvent } from "react";
import { useForm, useWatch, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FallbackSummary } from "../../../components/provider/fallback-summary.tsx";
import { ProviderFieldRow } from "../../../components/provider/provider-field.tsx";
import { ConnectionTest, ProviderNotices } from "../../../components/provider/provider-notices.tsx";
import { ProviderTile } from "../../../components/provider/provider-tile.tsx";
import { useAutoDetect } from "../../../components/provider/use-auto-detect.ts";
import { useProviderModels } from "../../../components/provider/use-provider-models.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { inputStyles } from "../../../components/ui/field.tsx";
import {
  Disclosure,
  PageBody,
  SaveBar,
  settingsColumn,
} from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { cn } from "../../../lib/cn.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { localModelKey, localProvider } from "../../../lib/local-models.ts";
import {
  applicableFields,
  changedValues,
  draftOf,
  editCount,
  emptiedValues,
  faultOf,
  initialValues,
  isComplete,
  needsNewIndex,
  type ProviderKind,
  type Values,
} from "../../../lib/provider-form.ts";
import { providersQuery } from "../../../lib/providers.ts";
import { toast } from "../../../lib/toast.ts";
import { useProviderSave } from "../state/provider-save.ts";
import { LocalModelsPanel } from "./local-models-panel.tsx";
import { switchNames, useSwitchPreference } from "./settings-page.tsx";

const AllowedModelsDialog = lazyPart(() => import("./allowed-models-dialog.tsx"));

/** Which of a provider's models people may choose. */
function AllowedModels({
  provider,
  saved,
}: {
  provider: ProviderDeclaration;
  saved: Record<string, unknown>;
}) {
  const { t } = useTranslation("settings");
  const [open, setOpen] = useState(false);
  const { allowed } = useSuspenseQuery(providersQuery).data;
  const models = allowed[provider.id];
  return (
    <div className="flex items-start gap-5">
      <div className="min-w-0 flex-1">
        <span className="font-medium">{t("allowedModels.label")}</span>
        <p className="text-fg-2">
          {models === undefined
            ? t("allowedModels.all")
            : t("allowedModels.some", { count: models.length })}
        </p>
      </div>
      <Button size="sm" aria-label={t("allowedModels.changeNamed")} onClick={() => setOpen(true)}>
        {t("allowedModels.change")}
      </Button>
      {open && (
        <Suspense>
          <AllowedModelsDialog
            provider={provider}
            saved={saved}
            allowed={allowed}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

const texts = { [threadTitlesLabel]: "titles", [threadModelsLabel]: "threadModels" } as const;

/** A switch for thread models or thread titles. Applies immediately. */
function ThreadSwitch({
  name,
  saved,
}: {
  name: keyof typeof texts;
  saved: Record<string, unknown>;
}) {
  const { t } = useTranslation("settings");
  const save = useSwitchPreference();
  const change = (on: boolean): void => {
    save.mutate(
      { name, on },
      {
        onSuccess: () =>
          toast.success(t(on ? `${texts[name]}.on` : `${texts[name]}.off`), () =>
            save.mutate({ name, on: !on }),
          ),
      },
    );
  };
  return (
    <SwitchLine
      label={t(`${texts[name]}.label`)}
      help={t(`${texts[name]}.help`)}
      on={saved[switchNames[name]] === true}
      busy={save.isPending}
      onChange={change}
    />
  );
}

/** Whether changing the provider of this kind needs a new index. */
const isIndexed = (kind: ProviderKind): kind is "embedding" | "vector" =>
  kind === "embedding" || kind === "vector";

/**
 * One provider: what data leaves the server, its fields, a connection test, and a button that says
 * what saving will do.
 */
export function ProviderForm({
  kind,
  provider,
  saved,
  everything,
  locked,
  inUse,
  picked,
  draft,
  unsavedElsewhere,
  onLeave,
  onChange,
}: {
  kind: ProviderKind;
  provider: ProviderDeclaration;
  saved: Record<string, unknown>;
  /** Includes what is saved for other providers under the same keys. */
  everything: Record<string, unknown>;
  locked: string[];
  inUse: boolean;
  picked: boolean;
  /** Unsaved edits from an earlier visit to this provider. */
  draft: Values | undefined;
  /** Whether other providers have unsaved edits. */
  unsavedElsewhere: boolean;
  /** Receives the unsaved edits when another provider is selected; null without any. */
  onLeave: (draft: Values | null) => void;
  onChange: () => void;
}) {
  const { t } = useTranslation("settings");
  const initial = initialValues(provider, saved);
  const form = useForm<Values>({ values: initial, resetOptions: { keepDirtyValues: true } });
  const { control, register, setValue, reset, handleSubmit, formState } = form;
  useFormDraft(form, { initial, draft, onLeave });
  const values = useWatch({ control }) as Values;
  const { settings, save: saveChanges } = useProviderSave({
    provider,
    before: everything,
    // The values from before the save. Those restored may be another provider's, under shared keys.
    onUndone: (restored) => {
      for (const [key, defaultValue] of Object.entries(initial))
        if (key in restored) form.resetField(key, { defaultValue });
    },
  });
  const detects = provider.fields.some(({ candidates }) => candidates);
  const [advanced, setAdvanced] = useState(detects);
  const fields = applicableFields(provider, values);
  const emptied = emptiedValues(provider, values, everything, locked);
  const edits =
    editCount(kind, provider, values, saved, locked) + (inUse ? Object.keys(emptied).length : 0);
  // Looking at a provider that is in use by default doesn't choose it.
  const changes =
    inUse && edits === 0
      ? {}
      : { ...emptied, ...changedValues(kind, provider, values, saved, locked, inUse && picked) };
  const faults = Object.fromEntries(
    fields.map((field) => [field.key, faultOf(field, values[field.key] ?? "", saved)]),
  );
  const faultCount = Object.values(faults).filter((fault) => fault !== null).length;
  const clearError = (): void => {
    if (settings.isError) settings.reset();
  };
  const { test, canTest, listing, runTest, forgetTest, forget } = useProviderModels({
    kind,
    provider,
    values,
    saved,
    locked,
    onEdit: (key, value) => {
      setValue(key, value, { shouldDirty: true });
      clearError();
    },
  });
  const detection = useAutoDetect({
    provider,
    saved,
    locked,
    getValues: form.getValues,
    onFound: (key, address) => {
      setValue(key, address, { shouldDirty: true });
      forget();
      clearError();
      setAdvanced(false);
    },
    onMissing: () => setAdvanced(true),
  });
  const isFolded = (field: ProviderDeclaration["fields"][number]): boolean =>
    field.advanced === true || field.candidates !== undefined;
  const afterSave = (): void => {
    for (const field of provider.fields) if (field.kind === "secret") setValue(field.key, "");
    reset(undefined, { keepValues: true, keepDirtyValues: false });
  };
  const save = (): void => saveChanges(changes, afterSave);
  const testAndSave = (): void => {
    const isConnection = provider.fields.some(
      (field) =>
        (field.kind === "secret" || field.kind === "url") && changes[field.key] !== undefined,
    );
    if (canTest && isConnection && !test.isSuccess) runTest(save);
    else save();
  };
  const submit = (event: FormEvent): void => {
    if (faultCount > 0 && fields.some((field) => isFolded(field) && faults[field.key]))
      setAdvanced(true);
    void handleSubmit(() => (faultCount === 0 ? testAndSave() : undefined))(event);
  };
  const row = (field: ProviderDeclaration["fields"][number]) => (
    <ProviderFieldRow
      key={field.key}
      field={field}
      registration={register(field.key, {
        onChange: () => {
          if (field.kind === "secret" || field.kind === "url") forget();
          else forgetTest();
          clearError();
        },
      })}
      value={values[field.key] ?? ""}
      model={values[provider.fields.find(({ kind }) => kind === "model")?.key ?? ""] ?? ""}
      fault={
        formState.isSubmitted || (formState.dirtyFields[field.key] && values[field.key] !== "")
          ? (faults[field.key] ?? null)
          : null
      }
      saved={saved[field.key] === true}
      locked={locked.includes(field.key)}
      listing={listing}
      keyUrl={provider.keyUrl ?? null}
      detection={detection}
      onReplace={(text) => setValue(field.key, text, { shouldDirty: true })}
    />
  );
  // The panel below chooses the model of this instance.
  const plain = fields.filter((field) => !isFolded(field) && field.key !== localModelKey);
  const folded = fields.filter(isFolded);
  const busy = settings.isPending || test.isPending;
  return (
    <form
      className="flex min-h-0 min-w-0 flex-col max-md:min-h-full"
      aria-label={provider.name}
      onSubmit={submit}
      noValidate
    >
      <div className="border-b border-subtle px-4 py-3 md:hidden">
        <button type="button" className={inputStyles({ box: true })} onClick={onChange}>
          <ProviderTile provider={provider} />
          <span className="line-clamp-2 min-w-0 flex-1 font-medium">{provider.name}</span>
          {inUse && (
            <span className="flex items-center gap-2 text-xs text-success">{t("inUse")}</span>
          )}
          <ChevronsUpDown className="size-3.5 stroke-2" aria-hidden="true" />
        </button>
      </div>
      <PageBody inside="split">
        <div className={cn(settingsColumn, "gap-5")}>
          <div className="flex items-center gap-3 max-md:hidden">
            <ProviderTile provider={provider} size="lg" />
            <div className="min-w-0 flex-1">
              <h2 className="text-lg font-semibold tracking-snug">{provider.name}</h2>
              <p className="text-fg-3">{t(`group.${provider.group}`)}</p>
            </div>
            {inUse && (
              <Badge tone="success">
                <Check className="size-3.5 stroke-2" aria-hidden="true" />
                {picked ? t("inUse") : t("inUseByDefault")}
              </Badge>
            )}
          </div>
          <ProviderNotices kind={kind} provider={provider} saved={saved} values={values} />
          {provider.id === localProvider && (
            <LocalModelsPanel
              used={inUse ? String(saved[localModelKey] ?? "") : null}
              onUse={(file) => {
                setValue(localModelKey, file);
                saveChanges({ LLMProvider: localProvider, [localModelKey]: file }, afterSave);
              }}
            />
          )}
          {plain.map(row)}
          {canTest && (
            <ConnectionTest
              test={test}
              onTest={() => runTest()}
              onSaveAnyway={formState.isDirty ? save : null}
            />
          )}
          {folded.length > 0 && (
            <Disclosure
              label={advanced ? t("hideAdvanced") : t("showAdvanced")}
              open={advanced}
              onToggle={() => setAdvanced(!advanced)}
            >
              {folded.map(row)}
            </Disclosure>
          )}
          {kind === "language" && inUse && provider.id !== quotingProvider && (
            <>
              <FallbackSummary slug={null} />
              <ThreadSwitch name={threadTitlesLabel} saved={saved} />
              <ThreadSwitch name={threadModelsLabel} saved={saved} />
            </>
          )}
          {kind === "language" && listing !== null && isComplete(provider, saved) && (
            <AllowedModels provider={provider} saved={saved} />
          )}
          {isIndexed(kind) && (!inUse || needsNewIndex(provider, changes)) && (
            <Notice kind="warn">
              <p>{t(`changeHelp.${kind}`)}</p>
            </Notice>
          )}
          {settings.error && (
            <Notice kind="bad">
              <p>{t(`saveFailed.${kind}`, { message: settings.error.message })}</p>
            </Notice>
          )}
        </div>
      </PageBody>
      <SaveBar
        changes={edits}
        unsavedElsewhere={unsavedElsewhere}
        faults={formState.isSubmitted ? faultCount : 0}
        busy={busy}
        action={inUse ? undefined : t("useProvider", { name: provider.name })}
        canSave={
          Object.keys(changes).length > 0 &&
          // The panel has a button for each model.
          (provider.id !== localProvider || Boolean(values[localModelKey]))
        }
        onDiscard={() => {
          reset(initial, { keepDirtyValues: false });
          forget();
          clearError();
        }}
      />
    </form>
  );
}

/** Restores the unsaved edits of an earlier visit, and hands them over when the form is left. */
export function useFormDraft(
  { setValue, getValues }: UseFormReturn<Values>,
  {
    initial,
    draft,
    onLeave,
  }: { initial: Values; draft: Values | undefined; onLeave: (draft: Values | null) => void },
): void {
  const restore = useEffectEvent(() => {
    for (const [key, value] of Object.entries(draft ?? {}))
      setValue(key, value, { shouldDirty: true });
  });
  const leave = useEffectEvent(() => onLeave(draftOf(getValues(), initial)));
  useEffect(() => {
    restore();
    return () => leave();
  }, []);
}
