import { useTranslation } from "react-i18next";
import { joinNames } from "../../../lib/format.ts";
import type { PlannedRequests } from "../../../lib/shared-flows.ts";

/** What a run would send, and what it will ask. */
export function RequestList({ planned: { requests, approvals } }: { planned: PlannedRequests }) {
  const { t } = useTranslation("flow-runs");
  return (
    <div className="grid grid-cols-1 gap-4">
      {requests.length > 0 && (
        <section className="grid grid-cols-1 gap-3" aria-label={t("requests")}>
          <h3 className="font-medium">{t("requests")}</h3>
          <ul className="grid grid-cols-1 gap-3">
            {requests.map(({ title, origin, text }, index) => (
              <li key={index} className="grid grid-cols-1 gap-1">
                <p className="wrap-anywhere">
                  {title}
                  <span className="text-fg-3"> · {origin ?? t("originUnknown")}</span>
                </p>
                <pre
                  className="max-h-40 overflow-auto rounded-sm bg-sunken px-3 py-2 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap"
                  tabIndex={0}
                  role="region"
                  aria-label={title}
                  dir="ltr"
                >
                  {text}
                </pre>
              </li>
            ))}
          </ul>
        </section>
      )}
      {approvals.length > 0 && (
        <p className="text-fg-2">
          {t("asks", { names: joinNames(approvals.map(({ title }) => title)) })}
        </p>
      )}
    </div>
  );
}
