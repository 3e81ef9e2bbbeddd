import { quotingProvider, type FaultWire, type ProviderDeclaration } from "@carrel/contracts";
import type { UseMutationResult } from "@tanstack/react-query";
import { Check, ExternalLink, Globe, HardDrive, Quote } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatNumber, formatPercent, formatSeconds, sentenceSpace } from "../../lib/format.ts";
import {
  destinationOf,
  type BrowserKind,
  type ProviderKind,
  type Values,
} from "../../lib/provider-form.ts";
import { isConnectionFault, isSettingFault, type ConnectionResult } from "../../lib/providers.ts";
import { FaultText } from "../fault-text.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { linkStyles } from "../ui/styles.ts";

export interface NativeState {
  state: "ready" | "missing" | "downloading" | "off";
  fault: FaultWire | null;
  /** 0 to 1 while the model is downloaded. */
  progress: number | null;
}

/** The state of the built-in embedding model, if the instance reports it. */
export const readNativeState = (results: Record<string, unknown>): NativeState | null =>
  (results.NativeEmbedder as NativeState | undefined) ?? null;

/** What data leaves the server with this provider, and the state of the built-in embedder. */
export function ProviderNotices({
  kind,
  provider,
  saved,
  values,
}: {
  kind: ProviderKind;
  provider: ProviderDeclaration;
  saved: Record<string, unknown>;
  values: Values;
}) {
  const { t } = useTranslation("settings");
  const native =
    kind === "embedding" && provider.group === "builtin" ? readNativeState(saved) : null;
  const destination = destinationOf(provider, values);
  const extractive = kind === "language" && provider.id === quotingProvider;
  return (
    <>
      {extractive ? (
        <Notice icon={<Quote aria-hidden="true" />}>
          <p>
            <b>{t("extractiveTitle")}</b>
            {sentenceSpace()}
            {t("extractiveText")}
          </p>
        </Notice>
      ) : destination === "browser" ? (
        <Notice icon={<Globe aria-hidden="true" />}>
          <p>
            {t(`inBrowser.${kind as BrowserKind}`)}
            {provider.fields.length > 0 && `${sentenceSpace()}${t("inBrowser.otherApps")}`}
          </p>
        </Notice>
      ) : destination === "remote" ? (
        <Notice icon={<ExternalLink aria-hidden="true" />}>
          <p>
            <b>{t("leaves")}</b>
            {sentenceSpace()}
            {t(`leavesWhat.${kind}`)}
            {sentenceSpace()}
            {provider.dataPolicyUrl && (
              <a
                className={linkStyles}
                href={provider.dataPolicyUrl}
                target="_blank"
                rel="noreferrer noopener"
              >
                {t("dataPolicy", { name: provider.name })}
              </a>
            )}
          </p>
        </Notice>
      ) : (
        <Notice icon={<HardDrive aria-hidden="true" />}>
          <p>
            {destination !== "unknown" && <b>{t("stays")}</b>}
            {destination !== "unknown" && sentenceSpace()}
            {t(`staysWhy.${destination}`)}
          </p>
        </Notice>
      )}
      {kind === "dictation" && (
        <Notice>
          <p>{t("inBrowser.https")}</p>
        </Notice>
      )}
      {kind === "transcription" && provider.group === "builtin" && (
        <Notice kind="info">
          <p>{t("builtInTranscription")}</p>
        </Notice>
      )}
      {native && (
        <Notice
          kind={native.state === "ready" ? "info" : native.state === "missing" ? "warn" : "plain"}
        >
          <p>
            <b>{t(`native.${native.state}`)}</b>
            {native.progress !== null && native.state === "downloading"
              ? ` ${formatPercent(native.progress)}`
              : ""}
            {sentenceSpace()}
            <FaultText fault={native.fault} fallback={t(`nativeHelp.${native.state}`)} />
          </p>
        </Notice>
      )}
    </>
  );
}

/** Makes a tiny call to a provider and shows how long it took or what is wrong. */
export function ConnectionTest({
  test,
  onTest,
  onSaveAnyway,
}: {
  test: Pick<UseMutationResult<ConnectionResult>, "data" | "error" | "isPending">;
  onTest: () => void;
  /** null without unsaved edits. */
  onSaveAnyway: (() => void) | null;
}) {
  const { t } = useTranslation("settings");
  const unreachable = isConnectionFault(test.error);
  return (
    <Field>
      <div className="flex items-center gap-2">
        <Button disabled={test.isPending} onClick={onTest}>
          {test.isPending ? t("testing") : t("test")}
        </Button>
      </div>
      <div role="status">
        {test.data && (
          <p className="flex flex-wrap items-center gap-[5px] text-xs text-success">
            <Check className="size-3.5 stroke-2" aria-hidden="true" />
            {t(test.data.dimensions === null ? "works.language" : "works.embedding", {
              model: test.data.model,
              time: formatSeconds(test.data.milliseconds / 1000),
              dimensions: formatNumber(test.data.dimensions ?? 0),
            })}
          </p>
        )}
      </div>
      {test.error && (
        <Notice
          kind="bad"
          action={
            onSaveAnyway &&
            !isSettingFault(test.error) && (
              <Button size="sm" onClick={onSaveAnyway}>
                {t("saveAnyway")}
              </Button>
            )
          }
        >
          <p>
            <b>{unreachable ? t("testUnreachable") : t("testFailed")}</b>
          </p>
          <p>
            {test.error.message} {unreachable && t("testUnreachableHelp")}
          </p>
        </Notice>
      )}
    </Field>
  );
}
