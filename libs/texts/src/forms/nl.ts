import type { FormTexts } from "./en.ts";

export const nl: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Importeert de pagina’s van een ruimte, met hun bijlagen en leesrechten.",
  Address: "Adres",
  "The address of Confluence, or of any page in it.":
    "Het adres van Confluence, of van een pagina daarin.",
  Deployment: "Type installatie",
  Cloud: "Cloud",
  "Self-hosted": "Zelf gehost",
  "Space key": "Ruimtesleutel",
  "Include attachments": "Bijlagen opnemen",
  "PDFs, Office files and texts.": "Pdf’s, Office-bestanden en teksten.",
  "Include blog posts": "Blogberichten opnemen",
  "Maximum size of an attachment, in MB": "Maximale grootte van een bijlage, in MB",
  "Accept any certificate": "Elk certificaat accepteren",
  "For a self-hosted server with a self-signed certificate.":
    "Voor een zelf gehoste server met een zelfondertekend certificaat.",
  Username: "Gebruikersnaam",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "Bij Confluence Cloud je e-mailadres. Niet nodig met een persoonlijk toegangstoken.",
  "API token or password": "API-token of wachtwoord",
  "Personal access token": "Persoonlijk toegangstoken",
  "Self-hosted only; instead of a username.":
    "Alleen zelf gehost; in plaats van een gebruikersnaam.",
  "Import the pages of spaces, with their attachments.":
    "Importeert de pagina’s van ruimtes, met hun bijlagen.",
  "Space IDs": "Ruimte-ID’s",
  "One per line. Without any, every space that the token may read.":
    "Eén per regel. Zonder opgave elke ruimte die het token mag lezen.",
  "Access token": "Toegangstoken",
  "RSS or Atom feed": "RSS- of Atom-feed",
  "Import the entries of a feed, and new ones as they appear.":
    "Importeert de items van een feed, en nieuwe zodra ze verschijnen.",
  "The address of the feed, or of a page that has one.":
    "Het adres van de feed, of van een pagina die er een heeft.",
  "Import full pages": "Volledige pagina’s importeren",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Voor feeds met alleen samenvattingen: importeert de pagina waarnaar elk item verwijst.",
  "Maximum entries per import": "Maximumaantal items per import",
  "Only for feeds that ask for a password.": "Alleen voor feeds die om een wachtwoord vragen.",
  Password: "Wachtwoord",
  "Folder on the server": "Map op de server",
  "Import the files of a folder that an admin has allowed.":
    "Importeert de bestanden van een map die een beheerder heeft toegestaan.",
  Folder: "Map",
  "One of the allowed folders, or a folder in one of them.":
    "Een van de toegestane mappen, of een map daarin.",
  "Ignored files": "Genegeerde bestanden",
  "One pattern per line, as in .gitignore.": "Eén patroon per regel, zoals in .gitignore.",
  "Largest file, in MB": "Maximale grootte van een bestand, in MB",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Importeert de bestanden van een repository op Gitea of Forgejo, en desgewenst de issues en wiki.",
  Repository: "Repository",
  Branch: "Branch",
  "The default branch if empty.": "De standaardbranch als dit leeg is.",
  "Include issues": "Issues opnemen",
  "Each issue and its comments become one document.":
    "Elke issue wordt met de reacties één document.",
  "Include the wiki": "De wiki opnemen",
  "Needed for private repositories. It may read repositories and issues.":
    "Nodig voor privérepository’s. Moet repository’s en issues mogen lezen.",
  "Import the files of a repository, and its issues if you want.":
    "Importeert de bestanden van een repository, en desgewenst de issues.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Nodig voor privérepository’s. Moet inhoud, issues en metadata mogen lezen.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Importeert de bestanden van een project, en desgewenst de issues en wiki.",
  "Needed for private projects. Scope: read_api.": "Nodig voor privéprojecten. Scope: read_api.",
  "Mailbox (IMAP)": "Mailbox (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Importeert berichten met hun bijlagen. Iedereen in de werkruimte kan ze lezen.",
  Server: "Server",
  Folders: "Mappen",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Eén per regel. Zonder opgave alle mappen behalve concepten, spam en prullenbak.",
  Since: "Sinds",
  "Only messages that arrived on this day or later.":
    "Alleen berichten die op deze dag of later zijn binnengekomen.",
  Encryption: "Versleuteling",
  "A server on this machine can do without.": "Een server op deze computer kan zonder.",
  None: "Geen",
  Port: "Poort",
  "By default 993, or 143 without TLS from the start.":
    "Standaard 993, of 143 zonder TLS vanaf het begin.",
  "Largest message, in MB": "Maximale grootte van een bericht, in MB",
  "For a server with a self-signed certificate.":
    "Voor een server met een zelfondertekend certificaat.",
  "Most providers require an app password.": "De meeste providers vereisen een app-wachtwoord.",
  "Import the issues of a project or a query, with their comments.":
    "Importeert de issues van een project of zoekopdracht, met hun reacties.",
  "The address of Jira, or of any issue in it.": "Het adres van Jira, of van een issue daarin.",
  "Project key": "Projectsleutel",
  "Query (JQL)": "Zoekopdracht (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Alleen overeenkomende issues, in het project of, zonder project, in alle.",
  "Include comments": "Reacties opnemen",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "Bij Jira Cloud je e-mailadres. Niet nodig met een persoonlijk toegangstoken.",
  "Import the pages and databases that are shared with an integration.":
    "Importeert de pagina’s en databases die met een integratie zijn gedeeld.",
  "Integration secret": "Secret van de integratie",
  "Add the integration to each page or database that it may read.":
    "Voeg de integratie toe aan elke pagina of database die ze mag lezen.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Importeert de documenten van een Paperless-ngx-archief, met hun tags.",
  Content: "Inhoud",
  "Files have pages that citations can show. The text is already recognised.":
    "Bestanden hebben pagina’s die bronvermeldingen kunnen tonen. De tekst is al herkend.",
  "Text that Paperless recognised": "Door Paperless herkende tekst",
  "Archived file": "Gearchiveerd bestand",
  "Original file": "Origineel bestand",
  "Maximum size of a file, in MB": "Maximale grootte van een bestand, in MB",
  "API token": "API-token",
  "From My Profile in Paperless-ngx.": "Uit ‘Mijn profiel’ in Paperless-ngx.",
  "S3 bucket": "S3-bucket",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Importeert de bestanden van een bucket op Amazon S3, MinIO, R2 of een compatibele server.",
  Endpoint: "Endpoint",
  "The server's address. Amazon S3 if empty.":
    "Het adres van de server. Amazon S3 als dit leeg is.",
  Region: "Regio",
  "us-east-1 if empty, which most compatible servers accept.":
    "us-east-1 als dit leeg is; de meeste compatibele servers accepteren dat.",
  Bucket: "Bucket",
  Prefix: "Voorvoegsel",
  "Only files whose keys begin with it. Everything if empty.":
    "Alleen bestanden waarvan de sleutel hiermee begint. Alles als dit leeg is.",
  "Bucket in the path": "Bucket in het pad",
  "Turn it off for servers that expect the bucket in the host name.":
    "Zet dit uit voor servers die de bucket in de hostnaam verwachten.",
  "Access key ID": "Toegangssleutel-ID",
  "May list the bucket and read its files. None for public buckets.":
    "Mag de bucket weergeven en de bestanden lezen. Niet nodig voor openbare buckets.",
  "Secret access key": "Geheime toegangssleutel",
  "Nextcloud or WebDAV": "Nextcloud of WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Importeert de bestanden van een map op Nextcloud, ownCloud of een andere WebDAV-server.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Van Nextcloud, van een map zoals de browser die toont, of van een WebDAV-map.",
  "Everything if empty.": "Alles als dit leeg is.",
  "App password": "App-wachtwoord",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Bij Nextcloud onder Instellingen > Beveiliging. Elders het wachtwoord.",
  Website: "Website",
  "Import the pages of a site, following its links and sitemap.":
    "Importeert de pagina’s van een site via de links en de sitemap.",
  "Start page": "Startpagina",
  "Link depth": "Linkdiepte",
  "How many links away from the start page Carrel follows.":
    "Hoeveel links Carrel vanaf de startpagina volgt.",
  "Maximum pages": "Maximumaantal pagina’s",
  "Part of the site": "Deel van de site",
  "Only the start page's folder": "Alleen de map van de startpagina",
  "The whole site": "De hele site",
  "Include linked files": "Gelinkte bestanden opnemen",
  "PDFs and Office files that pages link to.":
    "Pdf’s en Office-bestanden waarnaar pagina’s verwijzen.",
  "Run scripts": "Scripts uitvoeren",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Voor pagina’s die zonder JavaScript leeg blijven. Kost seconden per pagina en vereist een browser die de beheerder op de server heeft ingesteld.",
  "Excluded paths": "Uitgesloten paden",
  "One per line, such as /blog/archive.": "Eén per regel, zoals /blog/archive.",
  "Use the sitemap": "De sitemap gebruiken",
  "Import the transcripts of a video, a playlist or a channel.":
    "Importeert de transcripties van een video, afspeellijst of kanaal.",
  "Video, playlist or channel": "Video, afspeellijst of kanaal",
  "Transcript language": "Taal van de transcriptie",
  "A code such as en. By default, the language that is spoken.":
    "Een code zoals en. Standaard de gesproken taal.",
  "Maximum videos": "Maximumaantal video’s",
  "The newest ones of a channel, and the first ones of a playlist.":
    "De nieuwste van een kanaal, en de eerste van een afspeellijst.",
};
