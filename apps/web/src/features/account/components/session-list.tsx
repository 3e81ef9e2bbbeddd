import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { sessionsQuery, useEndSession } from "../api/security.ts";
import { describeAgent } from "../state/describe-agent.ts";

/** The user's sessions, newest first. Signing out ends the current one. */
export function SessionList() {
  const { t } = useTranslation("account");
  const query = useQuery(sessionsQuery);
  const endSession = useEndSession();
  const end = (id: string, done: string): void =>
    endSession.mutate(id, { onSuccess: () => toast.success(done) });
  const nameOf = (agent: string | null): string => {
    const { browser, system } = describeAgent(agent);
    return browser && system
      ? t("sessions.on", { browser, system })
      : (browser ?? system ?? t("sessions.unknown"));
  };
  const others = query.data?.filter((session) => !session.current).length ?? 0;
  return (
    <section className="account-rows" aria-labelledby="sessions-title">
      <div className="account-line">
        <h3 id="sessions-title">{t("sessions.title")}</h3>
        {others > 1 && (
          <button
            type="button"
            className="btn sm"
            onClick={() => end("others", t("sessions.othersEnded"))}
          >
            {t("sessions.endOthers")}
          </button>
        )}
      </div>
      {query.isPending && (
        <div className="grid gap-3" aria-label={t("sessions.loading")} role="status">
          {[70, 52].map((width) => (
            <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {query.isError && (
        <Notice kind="bad">
          <p>
            {t("sessions.notListed")} {query.error.message}
          </p>
        </Notice>
      )}
      <ul className="sessions">
        {query.data?.map((session) => {
          const name = nameOf(session.userAgent);
          const when = formatAgo(session.lastSeenAt);
          return (
            <li key={session.id}>
              <div className="grow min-w-0">
                <p className="row med">
                  {name}
                  {session.current && <span className="badge acc">{t("sessions.current")}</span>}
                </p>
                <p className="t3 xs">
                  {[session.address, t("sessions.seen", { when })].filter(Boolean).join(" · ")}
                </p>
              </div>
              {!session.current && (
                <button
                  type="button"
                  className="btn quiet sm"
                  aria-label={t("sessions.endOf", { name, when })}
                  onClick={() => end(session.id, t("sessions.ended"))}
                >
                  {t("sessions.end")}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
