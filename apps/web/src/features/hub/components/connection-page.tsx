import { hubDownloads, hubKeyMask, type HubDownloads, type HubSettings } from "@carrel/contracts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Folder, GitBranch, Globe, Power } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ChoiceCards } from "../../../components/ui/choices.tsx";
import {
  FormSection,
  PageBody,
  SaveBar,
  settingsColumn,
} from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { cn } from "../../../lib/cn.ts";
import { hubSettingsQuery } from "../../../lib/hub.ts";
import { toast } from "../../../lib/toast.ts";
import { useCheckHub, useSaveHub } from "../api/hub.ts";
import {
  countChanges,
  missingField,
  needsKey,
  toForm,
  toSource,
  toUpdate,
  type HubForm,
} from "../state/hub-form.ts";
import { OwnItems } from "./own-items.tsx";
import { SourceFields } from "./source-fields.tsx";

/** Which hub the instance uses, its key, and what may be downloaded from it. */
export function ConnectionPage() {
  const { t } = useTranslation("hub");
  return (
    <PageBoundary words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}>
      <Connection />
    </PageBoundary>
  );
}

function Connection() {
  const { data: settings } = useSuspenseQuery(hubSettingsQuery);
  return <ConnectionForm key={JSON.stringify(settings)} settings={settings} />;
}

const kinds = [
  ["off", Power],
  ["server", Globe],
  ["folder", Folder],
  ["repository", GitBranch],
] as const;

function ConnectionForm({ settings }: { settings: HubSettings }) {
  const { t } = useTranslation("hub");
  const saved = toForm(settings);
  const [form, setForm] = useState(saved);
  const [wasTried, setTried] = useState(false);
  const save = useSaveHub();
  const check = useCheckHub();
  const missing = missingField(form);
  const change = (part: Partial<HubForm>): void => {
    setForm({ ...form, ...part });
    save.reset();
    check.reset();
  };
  const submit = (): void => {
    setTried(true);
    if (missing !== null) return;
    save.mutate(toUpdate(form, saved), { onSuccess: () => toast.success(t("connection.saved")) });
  };
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <PageBody>
        <div className={cn(settingsColumn, "gap-8")}>
          <FormSection title={t("connection.source")} help={t("connection.sourceHelp")}>
            <div className="[&>div]:grid-flow-row [&>div]:grid-cols-2 max-md:[&>div]:grid-cols-1">
              <ChoiceCards
                name="hub-source"
                label={t("connection.source")}
                value={form.kind}
                options={kinds.map(([kind, icon]) => ({
                  value: kind,
                  icon,
                  label: t(`source.${kind}`),
                  text: t(`source.${kind}Text`),
                }))}
                onChange={(kind) => change({ kind })}
              />
            </div>
            <SourceFields
              form={form}
              folders={settings.folders}
              missing={wasTried ? missing : null}
              onChange={change}
            />
            {needsKey(form) && (
              <TextField
                label={t(form.kind === "server" ? "connection.key" : "connection.token")}
                help={t(form.kind === "server" ? "connection.keyHelp" : "connection.tokenHelp")}
                // A stored key is shown as its last digits; typing replaces it.
                type={form.key.startsWith(hubKeyMask) ? "text" : "password"}
                autoComplete="off"
                dir="ltr"
                value={form.key}
                onFocus={({ target }) => {
                  if (form.key.startsWith(hubKeyMask)) target.select();
                }}
                onChange={({ target }) => change({ key: target.value })}
              />
            )}
            {form.kind !== "off" && (
              <div className="grid grid-cols-1 justify-items-start gap-3">
                <Button
                  disabled={check.isPending || missing !== null}
                  onClick={() =>
                    check.mutate({
                      source: toSource(form),
                      ...(needsKey(form) && { connectionKey: form.key.trim() }),
                    })
                  }
                >
                  {t(check.isPending ? "connection.checking" : "connection.check")}
                </Button>
                <CheckResult check={check} />
              </div>
            )}
          </FormSection>
          <FormSection title={t("connection.downloads")} help={t("connection.downloadsHelp")}>
            <ChoiceCards<HubDownloads>
              name="hub-downloads"
              label={t("connection.downloads")}
              value={form.downloads}
              options={hubDownloads.map((value) => ({
                value,
                label: t(`downloads.${value}`),
                text: t(`downloads.${value}Text`),
              }))}
              onChange={(downloads) => change({ downloads })}
            />
            {form.downloads === "all" && <Notice kind="warn">{t("downloads.warning")}</Notice>}
          </FormSection>
          {save.error && <Notice kind="bad">{save.error.message}</Notice>}
          {settings.connectionKey !== null && settings.source.kind === "server" && <OwnItems />}
        </div>
      </PageBody>
      <SaveBar
        changes={countChanges(form, saved)}
        faults={wasTried && missing !== null ? 1 : 0}
        busy={save.isPending}
        onDiscard={() => setForm(saved)}
      />
    </form>
  );
}

function CheckResult({ check }: { check: ReturnType<typeof useCheckHub> }) {
  const { t } = useTranslation("hub");
  if (check.error) return <Notice kind="bad">{check.error.message}</Notice>;
  if (check.data === undefined) return null;
  const { fault, items, faults } = check.data;
  if (fault !== null)
    return (
      <Notice kind="bad">
        <FaultText fault={fault} fallback={t("connection.checkFailed")} />
      </Notice>
    );
  return (
    <div className="grid w-full grid-cols-1 gap-2" role="status">
      <Notice kind="info">{t("connection.checked", { count: items })}</Notice>
      {faults.length > 0 && (
        <Notice kind="warn">
          <p>
            <b>{t("connection.unusable")}</b>
          </p>
          <ul className="mt-1 grid grid-cols-1 gap-1">
            {faults.map(({ item, fault: reason }) => (
              <li key={item}>
                <code className="font-mono text-xs" dir="ltr">
                  {item}
                </code>
                : <FaultText fault={reason} fallback={t("connection.checkFailed")} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
