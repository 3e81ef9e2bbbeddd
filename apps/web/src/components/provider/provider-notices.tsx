import type { ProviderDeclaration } from "@carrel/contracts";
import { ExternalLink, Globe, HardDrive, Quote } from "lucide-react";
import { useTranslation } from "react-i18next";
import { readNativeState } from "../../lib/native-state.ts";
import {
  destinationOf,
  type BrowserKind,
  type ProviderKind,
  type Values,
} from "../../lib/provider-form.ts";
import { FaultText } from "../fault-text.tsx";
import { Notice } from "../ui/notice.tsx";
import { linkStyles } from "../ui/styles.ts";

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
  const extractive = kind === "language" && provider.group === "builtin";
  return (
    <>
      {extractive ? (
        <Notice icon={<Quote aria-hidden="true" />}>
          <p>
            <b>{t("extractiveTitle")}</b> {t("extractiveText")}
          </p>
        </Notice>
      ) : destination === "browser" ? (
        <Notice icon={<Globe aria-hidden="true" />}>
          <p>
            {t(`inBrowser.${kind as BrowserKind}`)}
            {provider.fields.length > 0 && ` ${t("inBrowser.otherApps")}`}
          </p>
        </Notice>
      ) : destination === "remote" ? (
        <Notice icon={<ExternalLink aria-hidden="true" />}>
          <p>
            <b>{t("leaves")}</b> {t(`leavesWhat.${kind}`)}{" "}
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
            {destination !== "unknown" && <b>{t("stays")} </b>}
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
              ? ` ${Math.round(native.progress * 100)}\u00a0%`
              : ""}{" "}
            <FaultText fault={native.fault} fallback={t(`nativeHelp.${native.state}`)} />
          </p>
        </Notice>
      )}
    </>
  );
}
