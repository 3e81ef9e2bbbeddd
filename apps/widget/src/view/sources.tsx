import type { JSX } from "preact";
import { safeUrl } from "../config/read-config.ts";
import { useWords } from "../words/words-context.ts";
import type { Source } from "../wire/embed-api.ts";
import { Icon } from "./icon.tsx";

/** What an answer is based on, if the widget shows it. */
export function Sources({ sources }: { sources: Source[] }): JSX.Element | null {
  const words = useWords();
  const shown = sources.filter(({ title }) => typeof title === "string" && title !== "");
  if (shown.length === 0) return null;
  return (
    <details class="sources">
      <summary>
        {words.sources} ({shown.length})
        <Icon name="down" />
      </summary>
      <ol>
        {shown.map(({ title, text, url, number }, index) => (
          <li key={index} value={number ?? index + 1}>
            {typeof url === "string" && /^https?:/i.test(url) ? (
              <a
                href={safeUrl(url) ?? undefined}
                target="_blank"
                rel="noopener noreferrer nofollow"
              >
                {title}
              </a>
            ) : (
              <span dir="auto">{title}</span>
            )}
            {typeof text === "string" && (
              <p class="passage" dir="auto">
                {text}
              </p>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
