import type { LocalModelDownload, LocalModelOffer } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { formatBytes, formatNumber, joinFacts } from "../../lib/format.ts";
import { isRunning, useCancelModel, useDownloadModel } from "../../lib/local-models.ts";
import { timeLeft } from "../../lib/time-left.ts";
import { FaultText } from "../fault-text.tsx";
import { Button } from "../ui/button.tsx";
import { ProgressBar } from "../ui/progress.tsx";
import { linkStyles } from "../ui/styles.ts";

/** A row of a list of models. */
export const modelRow = "flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3";

/** "2.5 GB · about 12 tokens/s". */
export function ModelFigures({
  bytes,
  tokensPerSecond,
}: Pick<LocalModelOffer, "bytes" | "tokensPerSecond">) {
  const { t } = useTranslation("local-models");
  return (
    <span className="tabular-nums">
      {joinFacts([
        formatBytes(bytes),
        tokensPerSecond !== null &&
          t("speed", { speed: formatNumber(tokensPerSecond, tokensPerSecond < 10 ? 1 : 0) }),
      ])}
    </span>
  );
}

export function LicenseLink({
  license,
  licenseUrl,
  name,
}: Pick<LocalModelOffer, "license" | "licenseUrl" | "name">) {
  return (
    <a
      className={linkStyles}
      href={licenseUrl}
      target="_blank"
      rel="noreferrer noopener"
      aria-label={joinFacts([license, name])}
    >
      {license}
    </a>
  );
}

/** A download with its progress, or why it failed. */
export function DownloadRow({
  download,
  secondsLeft,
}: {
  download: LocalModelDownload;
  /** Null if unknown. */
  secondsLeft: number | null;
}) {
  const { t } = useTranslation(["local-models", "common"]);
  const cancel = useCancelModel();
  const retry = useDownloadModel();
  const { id, name, state, doneBytes, totalBytes, fault } = download;
  const running = isRunning(download);
  return (
    <li className={modelRow}>
      <div className="grid min-w-0 flex-[1_1_14rem] gap-1.5">
        <span className="font-medium">{running ? t("downloading", { name }) : name}</span>
        {running && (
          <ProgressBar value={doneBytes / totalBytes} label={t("downloading", { name })} />
        )}
        {running ? (
          <span className="text-xs text-fg-3 tabular-nums">
            {state === "checking"
              ? t("checking")
              : state === "waiting"
                ? t("common:loading")
                : joinFacts([
                    t("of", { done: formatBytes(doneBytes), total: formatBytes(totalBytes) }),
                    secondsLeft !== null && timeLeft(secondsLeft),
                  ])}
          </span>
        ) : (
          <span className="text-xs text-danger" role="alert">
            <FaultText fault={fault} fallback={t("failed", { name })} />
          </span>
        )}
      </div>
      <div className="flex gap-2">
        {!running && (
          <Button
            size="sm"
            aria-label={joinFacts([t("common:retry"), name])}
            disabled={retry.isPending}
            onClick={() => retry.mutate(download)}
          >
            {t("common:retry")}
          </Button>
        )}
        <Button
          size="sm"
          variant="quiet"
          aria-label={joinFacts([t("common:cancel"), name])}
          disabled={cancel.isPending}
          onClick={() => cancel.mutate(id)}
        >
          {t("common:cancel")}
        </Button>
      </div>
    </li>
  );
}
