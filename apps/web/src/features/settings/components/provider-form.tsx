import type { ProviderDeclaration } from "@carrel/contracts";
import {
  Check,
  ChevronDown,
  ChevronRight,
  ChevronsUpDown,
  ExternalLink,
  HardDrive,
  Quote,
} from "lucide-react";
import { useState, type FormEvent } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { errorMessage } from "../../../lib/error-message.ts";
import { toast } from "../../../lib/toast.ts";
import { testProvider, useSaveSettings, type ModelOption } from "../api/providers.ts";
import {
  changedValues,
  faultOf,
  initialValues,
  testInput,
  tileOf,
  type ProviderKind,
  type Values,
} from "../state/provider-form.ts";
import { readNativeState } from "../state/native-state.ts";
import { ProviderFieldRow } from "./provider-field.tsx";

interface Test {
  state: "none" | "testing" | "works" | "failed";
  models: ModelOption[];
  milliseconds: number;
  message: string;
}
const untested: Test = { state: "none", models: [], milliseconds: 0, message: "" };

/**
 * One provider: what data leaves the server, its fields, a connection test, and a button that says
 * what saving will do.
 */
export function ProviderForm({
  kind,
  provider,
  saved,
  locked,
  inUse,
  picked,
  onChange,
}: {
  kind: ProviderKind;
  provider: ProviderDeclaration;
  saved: Record<string, unknown>;
  locked: string[];
  inUse: boolean;
  picked: boolean;
  onChange: () => void;
}) {
  const { t } = useTranslation("settings");
  const initial = initialValues(provider, saved);
  const { control, register, setValue, reset, handleSubmit, formState } = useForm<Values>({
    values: initial,
    resetOptions: { keepDirtyValues: true },
  });
  const values = useWatch({ control }) as Values;
  const settings = useSaveSettings();
  const [test, setTest] = useState<Test>(untested);
  const [problem, setProblem] = useState<string | null>(null);
  const [advanced, setAdvanced] = useState(false);
  const changes = changedValues(kind, provider, values, saved, locked, inUse && picked);
  const faults = Object.fromEntries(
    provider.fields.map((field) => [field.key, faultOf(field, values[field.key] ?? "", saved)]),
  );
  const faultCount = Object.values(faults).filter((fault) => fault !== null).length;
  const canTest = provider.listsModels && provider.group !== "builtin";

  const runTest = async (): Promise<boolean> => {
    setTest({ ...untested, state: "testing" });
    try {
      const { models, milliseconds } = await testProvider(testInput(provider, values, saved));
      setTest({ state: "works", models, milliseconds, message: "" });
      return true;
    } catch (error) {
      setTest({
        ...untested,
        state: "failed",
        message: errorMessage(error),
      });
      return false;
    }
  };
  const save = async (tested: boolean): Promise<void> => {
    setProblem(null);
    const proves = provider.fields.some(
      (field) =>
        (field.kind === "secret" || field.kind === "url") && changes[field.key] !== undefined,
    );
    if (canTest && proves && !tested && test.state !== "works" && !(await runTest())) return;
    try {
      await settings.mutateAsync(changes);
      for (const field of provider.fields) if (field.kind === "secret") setValue(field.key, "");
      reset(undefined, { keepValues: true });
      toast.success(t(`saved.${kind}`));
    } catch (error) {
      setProblem(t(`saveFailed.${kind}`, { message: errorMessage(error) }));
    }
  };
  const submit = (event: FormEvent): void => {
    if (faultCount > 0 && provider.fields.some((field) => field.advanced && faults[field.key]))
      setAdvanced(true);
    void handleSubmit(() => (faultCount === 0 ? save(false) : undefined))(event);
  };
  const row = (field: ProviderDeclaration["fields"][number]) => (
    <ProviderFieldRow
      key={field.key}
      field={field}
      registration={register(field.key, {
        onChange: () => {
          if (field.kind === "secret" || field.kind === "url") setTest(untested);
          setProblem(null);
        },
      })}
      value={values[field.key] ?? ""}
      fault={
        formState.isSubmitted || (formState.dirtyFields[field.key] && values[field.key] !== "")
          ? (faults[field.key] ?? null)
          : null
      }
      saved={saved[field.key] === true}
      locked={locked.includes(field.key)}
      models={test.models}
      keyUrl={provider.keyUrl ?? null}
      onReplace={(text) => setValue(field.key, text, { shouldDirty: true })}
    />
  );
  const plain = provider.fields.filter((field) => !field.advanced);
  const folded = provider.fields.filter((field) => field.advanced);
  const native =
    kind === "embedding" && provider.group === "builtin" ? readNativeState(saved) : null;
  const extractive = kind === "language" && provider.group === "builtin";
  const busy = formState.isSubmitting;
  return (
    <form className="set-form" aria-label={provider.name} onSubmit={submit} noValidate>
      <div className="change phone-only">
        <button type="button" className="input box" onClick={onChange}>
          <span className="tile" aria-hidden="true">
            {tileOf(provider.name)}
          </span>
          <span className="grow med cut">{provider.name}</span>
          {inUse && <span className="row xs text-success">{t("inUse")}</span>}
          <ChevronsUpDown className="i sm" aria-hidden="true" />
        </button>
      </div>
      <div className="set-body">
        <div className="form">
          <div className="form-head">
            <span className="tile lg" aria-hidden="true">
              {tileOf(provider.name)}
            </span>
            <div className="grow">
              <h2>{provider.name}</h2>
              <p className="t3">{t(`group.${provider.group}`)}</p>
            </div>
            {inUse && (
              <span className="badge ok">
                <Check className="i sm" aria-hidden="true" />
                {picked ? t("inUse") : t("inUseByDefault")}
              </span>
            )}
          </div>
          {extractive ? (
            <Notice icon={<Quote className="i" aria-hidden="true" />}>
              <p>
                <b>{t("extractiveTitle")}</b> {t("extractiveText")}
              </p>
            </Notice>
          ) : provider.group === "hosted" ? (
            <Notice icon={<ExternalLink className="i" aria-hidden="true" />}>
              <p>
                <b>{t("leaves")}</b> {t(`leavesWhat.${kind}`)}
              </p>
            </Notice>
          ) : (
            <Notice icon={<HardDrive className="i" aria-hidden="true" />}>
              <p>
                <b>{t("stays")}</b>{" "}
                {provider.group === "builtin" ? t("staysBuiltin") : t("staysLocal")}
              </p>
            </Notice>
          )}
          {native && (
            <Notice
              kind={
                native.state === "ready" ? "info" : native.state === "missing" ? "warn" : "plain"
              }
            >
              <p>
                <b>{t(`native.${native.state}`)}</b>
                {native.progress !== null && native.state === "downloading"
                  ? ` ${Math.round(native.progress * 100)}\u00a0%`
                  : ""}{" "}
                {native.message ?? t(`nativeHelp.${native.state}`)}
              </p>
            </Notice>
          )}
          {plain.map(row)}
          {canTest && (
            <div className="field">
              <div className="row">
                <button
                  type="button"
                  className="btn"
                  disabled={test.state === "testing"}
                  onClick={() => void runTest()}
                >
                  {test.state === "testing" ? t("testing") : t("test")}
                </button>
              </div>
              <div role="status">
                {test.state === "works" && (
                  <p className="good">
                    <Check className="i sm" aria-hidden="true" />
                    {t("works", {
                      count: test.models.length,
                      milliseconds: Math.round(test.milliseconds),
                    })}
                  </p>
                )}
              </div>
              {test.state === "failed" && (
                <Notice
                  kind="bad"
                  action={
                    formState.isDirty ? (
                      <button type="button" className="btn sm" onClick={() => void save(true)}>
                        {t("saveAnyway")}
                      </button>
                    ) : null
                  }
                >
                  <p>
                    <b>{t("testFailed")}</b>
                  </p>
                  <p>{test.message}</p>
                </Notice>
              )}
            </div>
          )}
          {folded.length > 0 && (
            <div className="adv">
              <button type="button" aria-expanded={advanced} onClick={() => setAdvanced(!advanced)}>
                {advanced ? (
                  <ChevronDown className="i sm" aria-hidden="true" />
                ) : (
                  <ChevronRight className="i sm flip" aria-hidden="true" />
                )}
                {t("advanced")}
              </button>
              {advanced && <div>{folded.map(row)}</div>}
            </div>
          )}
          {kind !== "language" && !inUse && (
            <Notice kind="warn">
              <p>{t(`changeHelp.${kind}`)}</p>
            </Notice>
          )}
          {problem && (
            <Notice kind="bad">
              <p>{problem}</p>
            </Notice>
          )}
        </div>
      </div>
      <footer className="save">
        <button
          type="submit"
          className="btn primary"
          disabled={busy || Object.keys(changes).length === 0}
        >
          {busy
            ? t("saving")
            : inUse
              ? t(`save.${kind}`)
              : t("useProvider", { name: provider.name })}
        </button>
        {formState.isDirty && (
          <button
            type="button"
            className="btn quiet"
            onClick={() => {
              reset(initial);
              setTest(untested);
              setProblem(null);
            }}
          >
            {t("discard")}
          </button>
        )}
        <span className="grow" />
        <span className="t3 xs desk-only">
          {Object.keys(changes).length > 0
            ? [
                t("changes", { count: Object.keys(changes).length }),
                formState.isSubmitted && faultCount > 0 ? t("faults", { count: faultCount }) : null,
              ]
                .filter(Boolean)
                .join(" · ")
            : t("noChanges")}
        </span>
      </footer>
    </form>
  );
}
