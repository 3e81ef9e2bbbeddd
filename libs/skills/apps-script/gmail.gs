/**
 * Carrel's access to the Gmail account of whoever deploys this script. Set it up as described in
 * docs/agents/google.md: run createKey once, then deploy it as a web app that runs as you.
 *
 * Requests are POSTs of JSON: { key, version, action, ...fields }. Replies are JSON:
 * { version, ok: true, result } or { version, ok: false, error: { code, message } }.
 */
const VERSION = 1;
const LIMITS = { threads: 25, messages: 10, body: 100000, request: 500000, snippet: 200 };

/** Run this once in the editor: it makes the key and shows it in the execution log. */
function createKey() {
  const key = (Utilities.getUuid() + Utilities.getUuid()).replace(/-/g, "");
  PropertiesService.getScriptProperties().setProperty("API_KEY", key);
  console.log("API key: " + key);
}

function doPost(event) {
  try {
    const contents = event.postData.contents;
    if (contents.length > LIMITS.request) return reply_({ code: "request", message: "too long" });
    const request = JSON.parse(contents);
    if (!isKey_(request.key)) return reply_({ code: "key", message: "The API key is wrong." });
    if (request.version !== VERSION)
      return reply_({ code: "version", message: "Another version." });
    const action = Object.prototype.hasOwnProperty.call(ACTIONS, request.action)
      ? ACTIONS[request.action]
      : null;
    if (action === null) return reply_({ code: "request", message: "Unknown action." });
    return reply_(null, action(request));
  } catch (fault) {
    return reply_(describe_(fault));
  }
}

function doGet() {
  return reply_({ code: "request", message: "Only POST is answered." });
}

function reply_(error, result) {
  const body = error
    ? { version: VERSION, ok: false, error: error }
    : { version: VERSION, ok: true, result: result };
  return ContentService.createTextOutput(JSON.stringify(body)).setMimeType(
    ContentService.MimeType.JSON,
  );
}

/** Compares digests byte by byte to the end, so that the time tells nothing about the key. */
function isKey_(given) {
  const key = PropertiesService.getScriptProperties().getProperty("API_KEY");
  if (!key || key.length < 32 || typeof given !== "string") return false;
  const digest = (text) => Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text);
  const a = digest(key);
  const b = digest(given);
  let difference = 0;
  for (let n = 0; n < a.length; n++) difference |= a[n] ^ b[n];
  return difference === 0;
}

function describe_(fault) {
  const message = String((fault && fault.message) || fault).slice(0, 300);
  if (fault && fault.code) return { code: fault.code, message: message };
  if (/too many times|quota|limit exceeded/i.test(message))
    return { code: "quota", message: message };
  if (/permission|authorization/i.test(message)) return { code: "permission", message: message };
  return { code: "failed", message: message };
}

function fault_(code, message) {
  const fault = new Error(message);
  fault.code = code;
  return fault;
}

function text_(value, name, most) {
  if (typeof value !== "string" || value.length > most)
    throw fault_("request", name + " is invalid");
  return value;
}

/** A list of bare addresses, as GmailApp takes them. */
function addresses_(list, name) {
  if (!Array.isArray(list) || list.length > 50) throw fault_("request", name + " is invalid");
  list.forEach((address) => {
    if (typeof address !== "string" || !/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(address))
      throw fault_("request", name + " has an invalid address");
  });
  return list.join(",");
}

function message_(id) {
  let message = null;
  try {
    message = GmailApp.getMessageById(text_(id, "id", 100));
  } catch {
    // Gmail throws for IDs that it doesn't know.
  }
  if (!message) throw fault_("missing", "There is no such mail.");
  return message;
}

function summary_(message) {
  return {
    id: message.getId(),
    from: message.getFrom(),
    date: message.getDate().toISOString(),
    isUnread: message.isUnread(),
  };
}

/** The fields of a mail that is to be sent or saved. */
function draft_(request) {
  const options = {};
  if (request.cc && request.cc.length > 0) options.cc = addresses_(request.cc, "cc");
  if (request.bcc && request.bcc.length > 0) options.bcc = addresses_(request.bcc, "bcc");
  const subject = text_(request.subject, "subject", 250);
  if (/[\r\n]/.test(subject)) throw fault_("request", "subject is invalid");
  return {
    to: addresses_(request.to, "to"),
    subject: subject,
    body: text_(request.body, "body", LIMITS.body),
    options: options,
  };
}

/**
 * The mail that is replied to. Gmail addresses a reply itself, so it's refused unless it goes to
 * exactly the approved address.
 */
function original_(request, to) {
  const message = message_(request.replyTo);
  const field = message.getReplyTo() || message.getFrom();
  const found = field.match(/[^\s@,;<>"]+@[^\s@,;<>"]+/g) || [];
  if (found.length !== 1 || found[0].toLowerCase() !== to.toLowerCase())
    throw fault_("recipient", "A reply to this mail goes to " + found.join(", ") + ".");
  return message;
}

const ACTIONS = {
  search: (request) => {
    const start = Math.max(0, Math.min(1000, Math.floor(Number(request.start)) || 0));
    const threads = GmailApp.search(text_(request.query, "query", 500), start, LIMITS.threads);
    const messages = GmailApp.getMessagesForThreads(threads);
    return {
      threads: threads.map((thread, n) => ({
        subject: thread.getFirstMessageSubject(),
        count: thread.getMessageCount(),
        messages: messages[n].slice(-LIMITS.messages).map(summary_),
        snippet: messages[n][messages[n].length - 1]
          .getPlainBody()
          .slice(0, 2000)
          .replace(/\s+/g, " ")
          .slice(0, LIMITS.snippet),
      })),
      next: threads.length < LIMITS.threads ? null : start + LIMITS.threads,
    };
  },
  read: (request) => {
    const message = message_(request.id);
    const html = message.getBody();
    return {
      id: message.getId(),
      subject: message.getSubject(),
      from: message.getFrom(),
      to: message.getTo(),
      cc: message.getCc(),
      date: message.getDate().toISOString(),
      html: html.slice(0, LIMITS.body * 5),
      text: html ? "" : message.getPlainBody().slice(0, LIMITS.body),
      attachments: message
        .getAttachments({ includeInlineImages: false })
        .map((file) => ({ name: file.getName(), size: file.getSize() })),
    };
  },
  draft: (request) => {
    const mail = draft_(request);
    if (!request.replyTo)
      return {
        id: GmailApp.createDraft(mail.to, mail.subject, mail.body, mail.options).getMessageId(),
      };
    const options = Object.assign({ subject: mail.subject }, mail.options);
    return { id: original_(request, mail.to).createDraftReply(mail.body, options).getMessageId() };
  },
  send: (request) => {
    const mail = draft_(request);
    if (!request.replyTo) GmailApp.sendEmail(mail.to, mail.subject, mail.body, mail.options);
    else
      original_(request, mail.to)
        .createDraftReply(mail.body, Object.assign({ subject: mail.subject }, mail.options))
        .send();
    return {};
  },
};
