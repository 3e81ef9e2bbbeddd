import { useTranslation } from "react-i18next";
import { readableName } from "./event-facts.ts";

/** Names events readably, even if this version has no text for one. */
export function useEventName(): (event: string) => string {
  const { t, i18n } = useTranslation("admin");
  return (event) =>
    i18n.exists(`admin:events.name.${event}`)
      ? t(`events.name.${event}` as "events.name.login_event")
      : readableName(event);
}
