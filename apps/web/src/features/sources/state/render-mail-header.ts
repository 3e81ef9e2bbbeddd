import { formatBytes, formatDateTime } from "../../../lib/format.ts";
import type { MailHeader } from "../worker/conversion.ts";

export interface MailTexts {
  noSubject: string;
  from: string;
  to: string;
  cc: string;
  date: string;
  attachments: string;
  unnamed: string;
}

/** The subject, people, date and attachments of a mail. */
export function renderMailHeader(mail: MailHeader, texts: MailTexts): HTMLElement {
  const header = document.createElement("header");
  const subject = document.createElement("h1");
  subject.textContent = mail.subject || texts.noSubject;
  const list = document.createElement("dl");
  const sent = Date.parse(mail.date);
  for (const [name, value] of [
    [texts.from, mail.from],
    [texts.to, mail.to],
    [texts.cc, mail.cc],
    [texts.date, Number.isNaN(sent) ? mail.date : formatDateTime(sent)],
    [
      texts.attachments,
      mail.attachments
        .map((each) => `${each.name || texts.unnamed} (${formatBytes(each.bytes)})`)
        .join(", "),
    ],
  ] as const) {
    if (value === "") continue;
    const term = document.createElement("dt");
    term.textContent = name;
    const description = document.createElement("dd");
    description.textContent = value;
    list.append(term, description);
  }
  header.append(subject, list);
  return header;
}
