import type { FormTexts } from "./en.ts";

export const de: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Importiert die Seiten eines Bereichs mit ihren Anhängen und Leserechten.",
  Address: "Adresse",
  "The address of Confluence, or of any page in it.":
    "Die Adresse von Confluence oder einer beliebigen Seite darin.",
  Deployment: "Art der Installation",
  Cloud: "Cloud",
  "Self-hosted": "Selbst gehostet",
  "Space key": "Bereichsschlüssel",
  "Include attachments": "Anhänge einschließen",
  "PDFs, Office files and texts.": "PDFs, Office-Dateien und Texte.",
  "Include blog posts": "Blogbeiträge einschließen",
  "Maximum size of an attachment, in MB": "Maximale Größe eines Anhangs in MB",
  "Accept any certificate": "Jedes Zertifikat akzeptieren",
  "For a self-hosted server with a self-signed certificate.":
    "Für einen selbst gehosteten Server mit selbst signiertem Zertifikat.",
  Username: "Benutzername",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "Bei Confluence Cloud Ihre E-Mail-Adresse. Mit einem persönlichen Zugriffstoken nicht nötig.",
  "API token or password": "API-Token oder Passwort",
  "Personal access token": "Persönliches Zugriffstoken",
  "Self-hosted only; instead of a username.": "Nur selbst gehostet; statt eines Benutzernamens.",
  "Import the pages of spaces, with their attachments.":
    "Importiert die Seiten von Bereichen mit ihren Anhängen.",
  "Space IDs": "Bereichs-IDs",
  "One per line. Without any, every space that the token may read.":
    "Eine pro Zeile. Ohne Angabe alle Bereiche, die das Token lesen darf.",
  "Access token": "Zugriffstoken",
  "RSS or Atom feed": "RSS- oder Atom-Feed",
  "Import the entries of a feed, and new ones as they appear.":
    "Importiert die Einträge eines Feeds und neue, sobald sie erscheinen.",
  "The address of the feed, or of a page that has one.":
    "Die Adresse des Feeds oder einer Seite, die einen hat.",
  "Import full pages": "Ganze Seiten importieren",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Für Feeds, die nur Zusammenfassungen enthalten: Importiert die Seite, auf die jeder Eintrag verweist.",
  "Maximum entries per import": "Maximale Anzahl Einträge pro Import",
  "Only for feeds that ask for a password.": "Nur für Feeds, die ein Passwort verlangen.",
  Password: "Passwort",
  "Folder on the server": "Ordner auf dem Server",
  "Import the files of a folder that an admin has allowed.":
    "Importiert die Dateien eines Ordners, den ein Admin freigegeben hat.",
  Folder: "Ordner",
  "One of the allowed folders, or a folder in one of them.":
    "Einer der freigegebenen Ordner oder ein Ordner darin.",
  "Ignored files": "Ausgeschlossene Dateien",
  "One pattern per line, as in .gitignore.": "Ein Muster pro Zeile, wie in .gitignore.",
  "Largest file, in MB": "Maximale Größe einer Datei in MB",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Importiert die Dateien eines Repositorys auf Gitea oder Forgejo, auf Wunsch auch Issues und Wiki.",
  Repository: "Repository",
  Branch: "Branch",
  "The default branch if empty.": "Ohne Angabe der Standard-Branch.",
  "Include issues": "Issues einschließen",
  "Each issue and its comments become one document.":
    "Jedes Issue wird mit seinen Kommentaren zu einem Dokument.",
  "Include the wiki": "Wiki einschließen",
  "Needed for private repositories. It may read repositories and issues.":
    "Für private Repositorys nötig. Braucht Leserechte für Repositorys und Issues.",
  "Import the files of a repository, and its issues if you want.":
    "Importiert die Dateien eines Repositorys, auf Wunsch auch Issues.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Für private Repositorys nötig. Braucht Leserechte für Inhalte, Issues und Metadaten.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Importiert die Dateien eines Projekts, auf Wunsch auch Issues und Wiki.",
  "Needed for private projects. Scope: read_api.": "Für private Projekte nötig. Scope: read_api.",
  "Mailbox (IMAP)": "Postfach (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Importiert Nachrichten mit ihren Anhängen. Alle im Workspace können sie lesen.",
  Server: "Server",
  Folders: "Ordner",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Einer pro Zeile. Ohne Angabe alle Ordner außer Entwürfen, Spam und Papierkorb.",
  Since: "Seit",
  "Only messages that arrived on this day or later.":
    "Nur Nachrichten, die an diesem Tag oder später eingegangen sind.",
  Encryption: "Verschlüsselung",
  "A server on this machine can do without.": "Ein Server auf diesem Rechner kommt ohne aus.",
  None: "Keine",
  Port: "Port",
  "By default 993, or 143 without TLS from the start.":
    "Standardmäßig 993, oder 143, wenn TLS nicht von Anfang an genutzt wird.",
  "Largest message, in MB": "Maximale Größe einer Nachricht in MB",
  "For a server with a self-signed certificate.":
    "Für einen Server mit selbst signiertem Zertifikat.",
  "Most providers require an app password.": "Die meisten Anbieter verlangen ein App-Passwort.",
  "Import the issues of a project or a query, with their comments.":
    "Importiert die Vorgänge eines Projekts oder einer Abfrage mit ihren Kommentaren.",
  "The address of Jira, or of any issue in it.":
    "Die Adresse von Jira oder eines beliebigen Vorgangs darin.",
  "Project key": "Projektschlüssel",
  "Query (JQL)": "Abfrage (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Nur passende Vorgänge, im Projekt oder, wenn keines angegeben ist, in allen.",
  "Include comments": "Kommentare einschließen",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "Bei Jira Cloud Ihre E-Mail-Adresse. Mit einem persönlichen Zugriffstoken nicht nötig.",
  "Import the pages and databases that are shared with an integration.":
    "Importiert die Seiten und Datenbanken, die für eine Integration freigegeben sind.",
  "Integration secret": "Integrations-Secret",
  "Add the integration to each page or database that it may read.":
    "Fügen Sie die Integration zu jeder Seite oder Datenbank hinzu, die sie lesen darf.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Importiert die Dokumente eines Paperless-ngx-Archivs mit ihren Tags.",
  Content: "Inhalt",
  "Files have pages that citations can show. The text is already recognised.":
    "Dateien haben Seiten, die Quellenangaben zeigen können. Der Text ist bereits erkannt.",
  "Text that Paperless recognised": "Von Paperless erkannter Text",
  "Archived file": "Archivierte Datei",
  "Original file": "Originaldatei",
  "Maximum size of a file, in MB": "Maximale Größe einer Datei in MB",
  "API token": "API-Token",
  "From My Profile in Paperless-ngx.": "Aus „Mein Profil“ in Paperless-ngx.",
  "S3 bucket": "S3-Bucket",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Importiert die Dateien eines Buckets auf Amazon S3, MinIO, R2 oder einem kompatiblen Server.",
  Endpoint: "Endpunkt",
  "The server's address. Amazon S3 if empty.": "Die Adresse des Servers. Ohne Angabe Amazon S3.",
  Region: "Region",
  "us-east-1 if empty, which most compatible servers accept.":
    "Ohne Angabe us-east-1, was die meisten kompatiblen Server akzeptieren.",
  Bucket: "Bucket",
  Prefix: "Präfix",
  "Only files whose keys begin with it. Everything if empty.":
    "Nur Dateien, deren Schlüssel damit beginnen. Ohne Angabe alle.",
  "Bucket in the path": "Bucket im Pfad",
  "Turn it off for servers that expect the bucket in the host name.":
    "Ausschalten für Server, die den Bucket im Hostnamen erwarten.",
  "Access key ID": "Zugriffsschlüssel-ID",
  "May list the bucket and read its files. None for public buckets.":
    "Darf den Bucket auflisten und seine Dateien lesen. Für öffentliche Buckets leer lassen.",
  "Secret access key": "Geheimer Zugriffsschlüssel",
  "Nextcloud or WebDAV": "Nextcloud oder WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Importiert die Dateien eines Ordners auf Nextcloud, ownCloud oder einem beliebigen WebDAV-Server.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Die Adresse von Nextcloud, eines Ordners, wie der Browser sie anzeigt, oder eines WebDAV-Ordners.",
  "Everything if empty.": "Ohne Angabe alles.",
  "App password": "App-Passwort",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Bei Nextcloud unter Einstellungen > Sicherheit. Sonst das Passwort.",
  Website: "Website",
  "Import the pages of a site, following its links and sitemap.":
    "Importiert die Seiten einer Website über ihre Links und ihre Sitemap.",
  "Start page": "Startseite",
  "Link depth": "Linktiefe",
  "How many links away from the start page Carrel follows.":
    "Wie viele Links Carrel von der Startseite aus folgt.",
  "Maximum pages": "Maximale Seitenzahl",
  "Part of the site": "Teil der Website",
  "Only the start page's folder": "Nur der Ordner der Startseite",
  "The whole site": "Die ganze Website",
  "Include linked files": "Verlinkte Dateien einschließen",
  "PDFs and Office files that pages link to.": "PDFs und Office-Dateien, auf die Seiten verweisen.",
  "Run scripts": "Skripte ausführen",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Für Seiten, die ohne JavaScript leer bleiben. Dauert Sekunden pro Seite und braucht einen Browser, der auf dem Server eingerichtet ist.",
  "Excluded paths": "Ausgeschlossene Pfade",
  "One per line, such as /blog/archive.": "Einer pro Zeile, zum Beispiel /blog/archive.",
  "Use the sitemap": "Sitemap verwenden",
  "Import the transcripts of a video, a playlist or a channel.":
    "Importiert die Transkripte eines Videos, einer Playlist oder eines Kanals.",
  "Video, playlist or channel": "Video, Playlist oder Kanal",
  "Transcript language": "Sprache des Transkripts",
  "A code such as en. By default, the language that is spoken.":
    "Ein Code wie en. Standardmäßig die gesprochene Sprache.",
  "Maximum videos": "Maximale Anzahl Videos",
  "The newest ones of a channel, and the first ones of a playlist.":
    "Die neuesten eines Kanals und die ersten einer Playlist.",
};
