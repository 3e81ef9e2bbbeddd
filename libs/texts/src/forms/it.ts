import type { FormTexts } from "./en.ts";

export const it: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Importa le pagine di uno spazio, con gli allegati e i permessi di lettura.",
  Address: "Indirizzo",
  "The address of Confluence, or of any page in it.":
    "L’indirizzo di Confluence o di una sua pagina qualsiasi.",
  Deployment: "Tipo di installazione",
  Cloud: "Cloud",
  "Self-hosted": "Self-hosted",
  "Space key": "Chiave dello spazio",
  "Include attachments": "Includi gli allegati",
  "PDFs, Office files and texts.": "PDF, file di Office e testi.",
  "Include blog posts": "Includi i post del blog",
  "Maximum size of an attachment, in MB": "Dimensione massima di un allegato, in MB",
  "Accept any certificate": "Accetta qualsiasi certificato",
  "For a self-hosted server with a self-signed certificate.":
    "Per un server self-hosted con un certificato autofirmato.",
  Username: "Nome utente",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "Su Confluence Cloud, il tuo indirizzo e-mail. Non serve con un token di accesso personale.",
  "API token or password": "Token API o password",
  "Personal access token": "Token di accesso personale",
  "Self-hosted only; instead of a username.": "Solo self-hosted; al posto del nome utente.",
  "Import the pages of spaces, with their attachments.":
    "Importa le pagine degli spazi, con gli allegati.",
  "Space IDs": "ID degli spazi",
  "One per line. Without any, every space that the token may read.":
    "Uno per riga. Se non ne indichi, tutti gli spazi che il token può leggere.",
  "Access token": "Token di accesso",
  "RSS or Atom feed": "Feed RSS o Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "Importa le voci di un feed, e quelle nuove appena escono.",
  "The address of the feed, or of a page that has one.":
    "L’indirizzo del feed o di una pagina che ne ha uno.",
  "Import full pages": "Importa le pagine complete",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Per i feed che contengono solo riassunti: importa la pagina a cui rimanda ogni voce.",
  "Maximum entries per import": "Numero massimo di voci per importazione",
  "Only for feeds that ask for a password.": "Solo per i feed che richiedono una password.",
  Password: "Password",
  "Folder on the server": "Cartella sul server",
  "Import the files of a folder that an admin has allowed.":
    "Importa i file di una cartella consentita da un amministratore.",
  Folder: "Cartella",
  "One of the allowed folders, or a folder in one of them.":
    "Una delle cartelle consentite, o una cartella al loro interno.",
  "Ignored files": "File ignorati",
  "One pattern per line, as in .gitignore.": "Un modello per riga, come in .gitignore.",
  "Largest file, in MB": "Dimensione massima di un file, in MB",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Importa i file di un repository su Gitea o Forgejo e, se vuoi, le issue e il wiki.",
  Repository: "Repository",
  Branch: "Branch",
  "The default branch if empty.": "Se vuoto, il branch predefinito.",
  "Include issues": "Includi le issue",
  "Each issue and its comments become one document.":
    "Ogni issue diventa un documento insieme ai suoi commenti.",
  "Include the wiki": "Includi il wiki",
  "Needed for private repositories. It may read repositories and issues.":
    "Necessario per i repository privati. Deve poter leggere repository e issue.",
  "Import the files of a repository, and its issues if you want.":
    "Importa i file di un repository e, se vuoi, le issue.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Necessario per i repository privati. Deve poter leggere contenuti, issue e metadati.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Importa i file di un progetto e, se vuoi, le issue e il wiki.",
  "Needed for private projects. Scope: read_api.":
    "Necessario per i progetti privati. Ambito: read_api.",
  "Mailbox (IMAP)": "Casella di posta (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Importa i messaggi con gli allegati. Tutti nell’area di lavoro possono leggerli.",
  Server: "Server",
  Folders: "Cartelle",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Una per riga. Se non ne indichi, tutte le cartelle tranne bozze, spam e cestino.",
  Since: "Da",
  "Only messages that arrived on this day or later.":
    "Solo i messaggi arrivati in questo giorno o dopo.",
  Encryption: "Crittografia",
  "A server on this machine can do without.": "Un server su questo computer può farne a meno.",
  None: "Nessuna",
  Port: "Porta",
  "By default 993, or 143 without TLS from the start.":
    "Per impostazione predefinita 993, o 143 senza TLS dall’inizio.",
  "Largest message, in MB": "Dimensione massima di un messaggio, in MB",
  "For a server with a self-signed certificate.": "Per un server con un certificato autofirmato.",
  "Most providers require an app password.":
    "La maggior parte dei provider richiede una password per app.",
  "Import the issues of a project or a query, with their comments.":
    "Importa i ticket di un progetto o di una query, con i commenti.",
  "The address of Jira, or of any issue in it.":
    "L’indirizzo di Jira o di un suo ticket qualsiasi.",
  "Project key": "Chiave del progetto",
  "Query (JQL)": "Query (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Solo i ticket corrispondenti, nel progetto o, se non indicato, in tutti.",
  "Include comments": "Includi i commenti",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "Su Jira Cloud, il tuo indirizzo e-mail. Non serve con un token di accesso personale.",
  "Import the pages and databases that are shared with an integration.":
    "Importa le pagine e i database condivisi con un’integrazione.",
  "Integration secret": "Segreto dell’integrazione",
  "Add the integration to each page or database that it may read.":
    "Aggiungi l’integrazione a ogni pagina o database che può leggere.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Importa i documenti di un archivio Paperless-ngx, con i tag.",
  Content: "Contenuto",
  "Files have pages that citations can show. The text is already recognised.":
    "I file hanno pagine che le citazioni possono mostrare. Il testo è già riconosciuto.",
  "Text that Paperless recognised": "Testo riconosciuto da Paperless",
  "Archived file": "File archiviato",
  "Original file": "File originale",
  "Maximum size of a file, in MB": "Dimensione massima di un file, in MB",
  "API token": "Token API",
  "From My Profile in Paperless-ngx.": "Da “Il mio profilo” in Paperless-ngx.",
  "S3 bucket": "Bucket S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Importa i file di un bucket su Amazon S3, MinIO, R2 o un server compatibile.",
  Endpoint: "Endpoint",
  "The server's address. Amazon S3 if empty.": "L’indirizzo del server. Se vuoto, Amazon S3.",
  Region: "Regione",
  "us-east-1 if empty, which most compatible servers accept.":
    "Se vuoto, us-east-1, accettata dalla maggior parte dei server compatibili.",
  Bucket: "Bucket",
  Prefix: "Prefisso",
  "Only files whose keys begin with it. Everything if empty.":
    "Solo i file la cui chiave inizia così. Se vuoto, tutti.",
  "Bucket in the path": "Bucket nel percorso",
  "Turn it off for servers that expect the bucket in the host name.":
    "Disattiva questa opzione per i server che si aspettano il bucket nel nome host.",
  "Access key ID": "ID della chiave di accesso",
  "May list the bucket and read its files. None for public buckets.":
    "Può elencare il bucket e leggerne i file. Non serve per i bucket pubblici.",
  "Secret access key": "Chiave di accesso segreta",
  "Nextcloud or WebDAV": "Nextcloud o WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Importa i file di una cartella su Nextcloud, ownCloud o qualsiasi server WebDAV.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Quello di Nextcloud, di una cartella come la mostra il browser o di una cartella WebDAV.",
  "Everything if empty.": "Se vuoto, tutto.",
  "App password": "Password per app",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Su Nextcloud, in Impostazioni > Sicurezza. Altrove, la password.",
  Website: "Sito web",
  "Import the pages of a site, following its links and sitemap.":
    "Importa le pagine di un sito seguendone i link e la sitemap.",
  "Start page": "Pagina iniziale",
  "Link depth": "Profondità dei link",
  "How many links away from the start page Carrel follows.":
    "Quanti link segue Carrel a partire dalla pagina iniziale.",
  "Maximum pages": "Numero massimo di pagine",
  "Part of the site": "Parte del sito",
  "Only the start page's folder": "Solo la cartella della pagina iniziale",
  "The whole site": "Tutto il sito",
  "Include linked files": "Includi i file collegati",
  "PDFs and Office files that pages link to.": "PDF e file di Office a cui rimandano le pagine.",
  "Run scripts": "Esegui gli script",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Per le pagine che restano vuote senza JavaScript. Richiede alcuni secondi per pagina e un browser che l’amministratore ha configurato sul server.",
  "Excluded paths": "Percorsi esclusi",
  "One per line, such as /blog/archive.": "Uno per riga, ad esempio /blog/archive.",
  "Use the sitemap": "Usa la sitemap",
  "Import the transcripts of a video, a playlist or a channel.":
    "Importa le trascrizioni di un video, di una playlist o di un canale.",
  "Video, playlist or channel": "Video, playlist o canale",
  "Transcript language": "Lingua della trascrizione",
  "A code such as en. By default, the language that is spoken.":
    "Un codice come en. Per impostazione predefinita, la lingua parlata.",
  "Maximum videos": "Numero massimo di video",
  "The newest ones of a channel, and the first ones of a playlist.":
    "I più recenti di un canale e i primi di una playlist.",
};
