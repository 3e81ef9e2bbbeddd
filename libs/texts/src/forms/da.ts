import type { FormTexts } from "./en.ts";

export const da: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Importerer siderne i et område med vedhæftede filer og læserettigheder.",
  Address: "Adresse",
  "The address of Confluence, or of any page in it.":
    "Adressen på Confluence eller på en side der.",
  Deployment: "Installationstype",
  Cloud: "Cloud",
  "Self-hosted": "Egen server",
  "Space key": "Områdenøgle",
  "Include attachments": "Medtag vedhæftede filer",
  "PDFs, Office files and texts.": "Pdf’er, Office-filer og tekster.",
  "Include blog posts": "Medtag blogindlæg",
  "Maximum size of an attachment, in MB": "Største vedhæftede fil i MB",
  "Accept any certificate": "Acceptér alle certifikater",
  "For a self-hosted server with a self-signed certificate.":
    "Til en egen server med et selvsigneret certifikat.",
  Username: "Brugernavn",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "På Confluence Cloud din mailadresse. Ikke nødvendigt med et personligt adgangstoken.",
  "API token or password": "API-token eller adgangskode",
  "Personal access token": "Personligt adgangstoken",
  "Self-hosted only; instead of a username.": "Kun på egen server; i stedet for et brugernavn.",
  "Import the pages of spaces, with their attachments.":
    "Importerer siderne i områder med vedhæftede filer.",
  "Space IDs": "Område-id’er",
  "One per line. Without any, every space that the token may read.":
    "Ét pr. linje. Uden angivelse alle områder, som tokenet må læse.",
  "Access token": "Adgangstoken",
  "RSS or Atom feed": "RSS- eller Atom-feed",
  "Import the entries of a feed, and new ones as they appear.":
    "Importerer indlæggene i et feed og nye, efterhånden som de kommer.",
  "The address of the feed, or of a page that has one.":
    "Adressen på feedet eller på en side, der har et.",
  "Import full pages": "Importér hele sider",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Til feeds, der kun har resuméer: importerer den side, som hvert indlæg linker til.",
  "Maximum entries per import": "Højeste antal indlæg pr. import",
  "Only for feeds that ask for a password.": "Kun til feeds, der kræver adgangskode.",
  Password: "Adgangskode",
  "Folder on the server": "Mappe på serveren",
  "Import the files of a folder that an admin has allowed.":
    "Importerer filerne i en mappe, som en administrator har tilladt.",
  Folder: "Mappe",
  "One of the allowed folders, or a folder in one of them.":
    "En af de tilladte mapper eller en mappe i en af dem.",
  "Ignored files": "Ignorerede filer",
  "One pattern per line, as in .gitignore.": "Ét mønster pr. linje som i .gitignore.",
  "Largest file, in MB": "Største fil i MB",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Importerer filerne i et repository på Gitea eller Forgejo, og issues og wiki, hvis du vil.",
  Repository: "Repository",
  Branch: "Branch",
  "The default branch if empty.": "Standardbranchen, hvis feltet er tomt.",
  "Include issues": "Medtag issues",
  "Each issue and its comments become one document.":
    "Hver issue bliver til ét dokument med sine kommentarer.",
  "Include the wiki": "Medtag wikien",
  "Needed for private repositories. It may read repositories and issues.":
    "Nødvendigt til private repositories. Skal kunne læse repositories og issues.",
  "Import the files of a repository, and its issues if you want.":
    "Importerer filerne i et repository, og issues, hvis du vil.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Nødvendigt til private repositories. Skal kunne læse indhold, issues og metadata.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Importerer filerne i et projekt, og issues og wiki, hvis du vil.",
  "Needed for private projects. Scope: read_api.":
    "Nødvendigt til private projekter. Scope: read_api.",
  "Mailbox (IMAP)": "Postkasse (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Importerer beskeder med vedhæftede filer. Alle i arbejdsområdet kan læse dem.",
  Server: "Server",
  Folders: "Mapper",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Én pr. linje. Uden angivelse alle mapper undtagen kladder, spam og papirkurv.",
  Since: "Siden",
  "Only messages that arrived on this day or later.":
    "Kun beskeder, der er kommet denne dag eller senere.",
  Encryption: "Kryptering",
  "A server on this machine can do without.": "En server på denne maskine kan klare sig uden.",
  None: "Ingen",
  Port: "Port",
  "By default 993, or 143 without TLS from the start.":
    "Som standard 993, eller 143 uden TLS fra starten.",
  "Largest message, in MB": "Største besked i MB",
  "For a server with a self-signed certificate.": "Til en server med et selvsigneret certifikat.",
  "Most providers require an app password.": "De fleste udbydere kræver en app-adgangskode.",
  "Import the issues of a project or a query, with their comments.":
    "Importerer sagerne i et projekt eller en forespørgsel med kommentarer.",
  "The address of Jira, or of any issue in it.": "Adressen på Jira eller på en sag der.",
  "Project key": "Projektnøgle",
  "Query (JQL)": "Forespørgsel (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Kun sager, der matcher, i projektet eller, hvis intet er angivet, i alle.",
  "Include comments": "Medtag kommentarer",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "På Jira Cloud din mailadresse. Ikke nødvendigt med et personligt adgangstoken.",
  "Import the pages and databases that are shared with an integration.":
    "Importerer de sider og databaser, der er delt med en integration.",
  "Integration secret": "Integrationens hemmelige nøgle",
  "Add the integration to each page or database that it may read.":
    "Føj integrationen til hver side eller database, den må læse.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Importerer dokumenterne i et Paperless-ngx-arkiv med tags.",
  Content: "Indhold",
  "Files have pages that citations can show. The text is already recognised.":
    "Filer har sider, som kildehenvisninger kan vise. Teksten er allerede genkendt.",
  "Text that Paperless recognised": "Tekst, som Paperless har genkendt",
  "Archived file": "Arkiveret fil",
  "Original file": "Original fil",
  "Maximum size of a file, in MB": "Største filstørrelse i MB",
  "API token": "API-token",
  "From My Profile in Paperless-ngx.": "Fra ”Min profil” i Paperless-ngx.",
  "S3 bucket": "S3-bucket",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Importerer filerne i en bucket på Amazon S3, MinIO, R2 eller en kompatibel server.",
  Endpoint: "Endpoint",
  "The server's address. Amazon S3 if empty.": "Serverens adresse. Amazon S3, hvis feltet er tomt.",
  Region: "Region",
  "us-east-1 if empty, which most compatible servers accept.":
    "us-east-1, hvis feltet er tomt; det accepterer de fleste kompatible servere.",
  Bucket: "Bucket",
  Prefix: "Præfiks",
  "Only files whose keys begin with it. Everything if empty.":
    "Kun filer, hvis nøgle begynder sådan. Alle, hvis feltet er tomt.",
  "Bucket in the path": "Bucket i stien",
  "Turn it off for servers that expect the bucket in the host name.":
    "Slå det fra til servere, der forventer bucketen i værtsnavnet.",
  "Access key ID": "Adgangsnøgle-id",
  "May list the bucket and read its files. None for public buckets.":
    "Må vise bucketens indhold og læse filerne. Udelades for offentlige buckets.",
  "Secret access key": "Hemmelig adgangsnøgle",
  "Nextcloud or WebDAV": "Nextcloud eller WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Importerer filerne i en mappe på Nextcloud, ownCloud eller en anden WebDAV-server.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Til Nextcloud, til en mappe, som browseren viser den, eller til en WebDAV-mappe.",
  "Everything if empty.": "Alt, hvis feltet er tomt.",
  "App password": "App-adgangskode",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "På Nextcloud under Indstillinger > Sikkerhed. Ellers adgangskoden.",
  Website: "Websted",
  "Import the pages of a site, following its links and sitemap.":
    "Importerer siderne på et websted via links og sitemap.",
  "Start page": "Startside",
  "Link depth": "Linkdybde",
  "How many links away from the start page Carrel follows.":
    "Hvor mange links Carrel følger fra startsiden.",
  "Maximum pages": "Højeste antal sider",
  "Part of the site": "Del af webstedet",
  "Only the start page's folder": "Kun startsidens mappe",
  "The whole site": "Hele webstedet",
  "Include linked files": "Medtag linkede filer",
  "PDFs and Office files that pages link to.": "Pdf’er og Office-filer, som sider linker til.",
  "Run scripts": "Kør scripts",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Til sider, der er tomme uden JavaScript. Tager sekunder pr. side og kræver en browser, som administratoren har sat op på serveren.",
  "Excluded paths": "Udeladte stier",
  "One per line, such as /blog/archive.": "Én pr. linje, f.eks. /blog/archive.",
  "Use the sitemap": "Brug sitemap",
  "Import the transcripts of a video, a playlist or a channel.":
    "Importerer udskrifterne af en video, en playliste eller en kanal.",
  "Video, playlist or channel": "Video, playliste eller kanal",
  "Transcript language": "Udskriftens sprog",
  "A code such as en. By default, the language that is spoken.":
    "En kode som en. Som standard det talte sprog.",
  "Maximum videos": "Højeste antal videoer",
  "The newest ones of a channel, and the first ones of a playlist.":
    "De nyeste fra en kanal og de første fra en playliste.",
};
