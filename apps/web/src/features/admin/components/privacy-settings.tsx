import { getTelemetry, telemetryKey, updateSettings, type Args, type Out } from "@carrel/contracts";
import { queryOptions, useMutation, useSuspenseQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { DataHandling } from "../../../components/provider/data-handling.tsx";
import { FormSection, PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { call } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import type { ProviderKind } from "../../../lib/provider-form.ts";
import { providersQuery } from "../../../lib/providers.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import { SettingsBoundary } from "./settings-page.tsx";

const telemetryQuery = queryOptions({
  queryKey: [...instanceKeys.providers, "telemetry"],
  queryFn: ({ signal }) => call(getTelemetry, {}, { signal }),
});

const useSwitchTelemetry = () =>
  useMutation({
    mutationFn: async (on: boolean) => {
      // The request body is the flat map itself.
      const values = { [telemetryKey]: String(!on) } as unknown as Args<typeof updateSettings>;
      await call(updateSettings, values);
    },
    ...optimistic(setupQuery.queryKey, (reply, on: boolean) => ({
      ...reply,
      results: { ...reply.results, [telemetryKey]: String(!on) },
    })),
    meta: {
      invalidates: [setupQuery.queryKey],
      errorToast: (message) => i18next.t("privacy:failed", { message }),
    },
  });

const handledKinds: readonly ProviderKind[] = [
  "language",
  "embedding",
  "vector",
  "speech",
  "dictation",
  "transcription",
];

/** Data that leaves the instance: to its providers and, if an admin agrees, as telemetry. */
export function PrivacySettings() {
  return (
    <SettingsBoundary>
      <Privacy />
    </SettingsBoundary>
  );
}

function Privacy() {
  const { t } = useTranslation("privacy");
  const { data: setup } = useSuspenseQuery(setupQuery);
  const { data: providers } = useSuspenseQuery(providersQuery);
  const { data: telemetry } = useSuspenseQuery(telemetryQuery);
  const save = useSwitchTelemetry();
  const isOn = setup[telemetryKey] === "false";
  const isLocked = providers.locked.includes(telemetryKey);
  const change = (on: boolean): void => {
    save.mutate(on, {
      onSuccess: () => toast.success(t(on ? "isOn" : "isOff"), () => save.mutate(!on)),
    });
  };
  return (
    <PageBody>
      <div className={cn(settingsColumn, "gap-8")}>
        <FormSection title={t("telemetry")}>
          <SwitchLine
            label={t("send")}
            help={t("sendHelp")}
            on={isOn}
            busy={save.isPending}
            disabled={isLocked}
            onChange={change}
          />
          {isLocked && <p className="text-xs text-fg-3">{t("locked")}</p>}
          <Notice>
            <p>
              {telemetry.address === null
                ? t("noAddress")
                : t("address", { host: new URL(telemetry.address).host })}
            </p>
          </Notice>
          <Report report={telemetry.report} />
        </FormSection>
        <FormSection title={t("handlingTitle")} help={t("handlingHelp")}>
          <DataHandling kinds={handledKinds} />
        </FormSection>
      </div>
    </PageBody>
  );
}

const entries = [
  "instance",
  "mode",
  "languageProvider",
  "embedder",
  "vectorStore",
  "workspaces",
] as const;

/** Everything that a report contains, with the next report's values. */
function Report({ report }: { report: Out<typeof getTelemetry>["report"] }) {
  const { t } = useTranslation("privacy");
  return (
    <table className="w-full text-start">
      <caption className="mb-1.5 text-start font-medium">{t("reportTitle")}</caption>
      <tbody>
        {entries.map((name) => (
          <tr key={name} className="border-t border-subtle last:border-b">
            <th scope="row" className="py-2 pe-4 text-start font-regular text-fg-2">
              {t(`entry.${name}`)}
            </th>
            <td className="py-2 wrap-anywhere tabular-nums">{report[name] ?? t("noInstance")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
