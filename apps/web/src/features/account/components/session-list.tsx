import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { Button } from "../../../components/ui/button.tsx";
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
    <section className="grid content-start gap-4" aria-labelledby="sessions-title">
      <div className="flex items-start justify-between gap-4">
        <h3 className="font-medium" id="sessions-title">
          {t("sessions.title")}
        </h3>
        {others > 1 && (
          <Button
            className="max-md:min-h-11"
            size="sm"
            onClick={() => end("others", t("sessions.othersEnded"))}
          >
            {t("sessions.endOthers")}
          </Button>
        )}
      </div>
      {query.isPending && (
        <div className="grid gap-3" aria-label={t("sessions.loading")} role="status">
          {[70, 52].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
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
      <ul className="grid">
        {query.data?.map((session) => {
          const name = nameOf(session.userAgent);
          const when = formatAgo(session.lastSeenAt);
          return (
            <li
              key={session.id}
              className="flex min-h-[52px] items-center gap-3 border-subtle not-first:border-t"
            >
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2 font-medium">
                  {name}
                  {session.current && <Badge tone="accent">{t("sessions.current")}</Badge>}
                </p>
                <p className="text-fg-3 text-xs">
                  {[session.address, t("sessions.seen", { when })].filter(Boolean).join(" · ")}
                </p>
              </div>
              {!session.current && (
                <Button
                  className="max-md:min-h-11"
                  variant="quiet"
                  size="sm"
                  aria-label={t("sessions.endOf", { name, when })}
                  onClick={() => end(session.id, t("sessions.ended"))}
                >
                  {t("sessions.end")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
