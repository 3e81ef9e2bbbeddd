import type { FormTexts } from "./en.ts";

export const fr: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Importe les pages d’un espace Confluence, avec leurs pièces jointes et leurs droits de lecture.",
  Address: "Adresse",
  "The address of Confluence, or of any page in it.":
    "L’adresse de Confluence ou de n’importe laquelle de ses pages.",
  Deployment: "Type d’hébergement",
  Cloud: "Cloud",
  "Self-hosted": "Auto-hébergé",
  "Space key": "Clé de l’espace",
  "Include attachments": "Inclure les pièces jointes",
  "PDFs, Office files and texts.": "PDF, fichiers Office et textes.",
  "Include blog posts": "Inclure les articles de blog",
  "Maximum size of an attachment, in MB": "Taille maximale d’une pièce jointe, en Mo",
  "Accept any certificate": "Accepter tous les certificats",
  "For a self-hosted server with a self-signed certificate.":
    "Pour un serveur auto-hébergé avec un certificat autosigné.",
  Username: "Nom d’utilisateur",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "Sur Confluence Cloud, votre adresse e-mail. Inutile avec un jeton d’accès personnel.",
  "API token or password": "Jeton d’API ou mot de passe",
  "Personal access token": "Jeton d’accès personnel",
  "Self-hosted only; instead of a username.":
    "Auto-hébergé uniquement ; remplace le nom d’utilisateur.",
  "Import the pages of spaces, with their attachments.":
    "Importe les pages d’espaces, avec leurs pièces jointes.",
  "Space IDs": "Identifiants des espaces",
  "One per line. Without any, every space that the token may read.":
    "Un par ligne. Si la liste est vide, tous les espaces que le jeton peut lire.",
  "Access token": "Jeton d’accès",
  "RSS or Atom feed": "Flux RSS ou Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "Importe les entrées d’un flux, puis les nouvelles dès leur parution.",
  "The address of the feed, or of a page that has one.":
    "L’adresse du flux ou d’une page qui en propose un.",
  "Import full pages": "Importer les pages entières",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Pour les flux qui ne contiennent que des résumés : importe la page vers laquelle pointe chaque entrée.",
  "Maximum entries per import": "Nombre maximal d’entrées par importation",
  "Only for feeds that ask for a password.":
    "Uniquement pour les flux qui demandent un mot de passe.",
  Password: "Mot de passe",
  "Folder on the server": "Dossier sur le serveur",
  "Import the files of a folder that an admin has allowed.":
    "Importe les fichiers d’un dossier autorisé par un admin.",
  Folder: "Dossier",
  "One of the allowed folders, or a folder in one of them.":
    "L’un des dossiers autorisés, ou un dossier qu’il contient.",
  "Ignored files": "Fichiers ignorés",
  "One pattern per line, as in .gitignore.": "Un motif par ligne, comme dans .gitignore.",
  "Largest file, in MB": "Taille maximale d’un fichier, en Mo",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Importe les fichiers d’un dépôt Gitea ou Forgejo, ainsi que ses tickets et son wiki si vous le souhaitez.",
  Repository: "Dépôt",
  Branch: "Branche",
  "The default branch if empty.": "La branche par défaut si le champ est vide.",
  "Include issues": "Inclure les tickets",
  "Each issue and its comments become one document.":
    "Chaque ticket devient un document avec ses commentaires.",
  "Include the wiki": "Inclure le wiki",
  "Needed for private repositories. It may read repositories and issues.":
    "Nécessaire pour les dépôts privés. Doit pouvoir lire les dépôts et les tickets.",
  "Import the files of a repository, and its issues if you want.":
    "Importe les fichiers d’un dépôt, ainsi que ses tickets si vous le souhaitez.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Nécessaire pour les dépôts privés. Doit pouvoir lire le contenu, les tickets et les métadonnées.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Importe les fichiers d’un projet, ainsi que ses tickets et son wiki si vous le souhaitez.",
  "Needed for private projects. Scope: read_api.":
    "Nécessaire pour les projets privés. Portée : read_api.",
  "Mailbox (IMAP)": "Boîte mail (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Importe les messages avec leurs pièces jointes. Toutes les personnes de l’espace peuvent les lire.",
  Server: "Serveur",
  Folders: "Dossiers",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Un par ligne. Si la liste est vide, tous les dossiers sauf les brouillons, les indésirables et la corbeille.",
  Since: "Depuis",
  "Only messages that arrived on this day or later.":
    "Uniquement les messages arrivés ce jour-là ou après.",
  Encryption: "Chiffrement",
  "A server on this machine can do without.": "Un serveur sur cette machine peut s’en passer.",
  None: "Aucun",
  Port: "Port",
  "By default 993, or 143 without TLS from the start.":
    "Par défaut 993, ou 143 sans TLS dès le début.",
  "Largest message, in MB": "Taille maximale d’un message, en Mo",
  "For a server with a self-signed certificate.": "Pour un serveur avec un certificat autosigné.",
  "Most providers require an app password.":
    "La plupart des fournisseurs exigent un mot de passe d’application.",
  "Import the issues of a project or a query, with their comments.":
    "Importe les tickets d’un projet ou d’une requête, avec leurs commentaires.",
  "The address of Jira, or of any issue in it.":
    "L’adresse de Jira ou de n’importe lequel de ses tickets.",
  "Project key": "Clé du projet",
  "Query (JQL)": "Requête (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Uniquement les tickets correspondants, dans le projet ou, sans projet, dans tous.",
  "Include comments": "Inclure les commentaires",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "Sur Jira Cloud, votre adresse e-mail. Inutile avec un jeton d’accès personnel.",
  "Import the pages and databases that are shared with an integration.":
    "Importe les pages et bases de données partagées avec une intégration.",
  "Integration secret": "Secret de l’intégration",
  "Add the integration to each page or database that it may read.":
    "Ajoutez l’intégration à chaque page ou base de données qu’elle peut lire.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Importe les documents d’une archive Paperless-ngx, avec leurs étiquettes.",
  Content: "Contenu",
  "Files have pages that citations can show. The text is already recognised.":
    "Les fichiers ont des pages que les citations peuvent montrer. Le texte est déjà reconnu.",
  "Text that Paperless recognised": "Texte reconnu par Paperless",
  "Archived file": "Fichier archivé",
  "Original file": "Fichier d’origine",
  "Maximum size of a file, in MB": "Taille maximale d’un fichier, en Mo",
  "API token": "Jeton d’API",
  "From My Profile in Paperless-ngx.": "Dans « Mon profil » de Paperless-ngx.",
  "S3 bucket": "Bucket S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Importe les fichiers d’un bucket sur Amazon S3, MinIO, R2 ou un serveur compatible.",
  Endpoint: "Point de terminaison",
  "The server's address. Amazon S3 if empty.":
    "L’adresse du serveur. Amazon S3 si le champ est vide.",
  Region: "Région",
  "us-east-1 if empty, which most compatible servers accept.":
    "us-east-1 si le champ est vide, ce que la plupart des serveurs compatibles acceptent.",
  Bucket: "Bucket",
  Prefix: "Préfixe",
  "Only files whose keys begin with it. Everything if empty.":
    "Uniquement les fichiers dont la clé commence ainsi. Tous si le champ est vide.",
  "Bucket in the path": "Bucket dans le chemin",
  "Turn it off for servers that expect the bucket in the host name.":
    "Désactivez cette option pour les serveurs qui attendent le bucket dans le nom d’hôte.",
  "Access key ID": "ID de clé d’accès",
  "May list the bucket and read its files. None for public buckets.":
    "Peut lister le bucket et lire ses fichiers. Inutile pour les buckets publics.",
  "Secret access key": "Clé d’accès secrète",
  "Nextcloud or WebDAV": "Nextcloud ou WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Importe les fichiers d’un dossier sur Nextcloud, ownCloud ou tout serveur WebDAV.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Celle de Nextcloud, d’un dossier telle que le navigateur l’affiche, ou d’un dossier WebDAV.",
  "Everything if empty.": "Tout si le champ est vide.",
  "App password": "Mot de passe d’application",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Sur Nextcloud, dans Paramètres > Sécurité. Ailleurs, le mot de passe.",
  Website: "Site web",
  "Import the pages of a site, following its links and sitemap.":
    "Importe les pages d’un site en suivant ses liens et son plan de site.",
  "Start page": "Page de départ",
  "Link depth": "Profondeur des liens",
  "How many links away from the start page Carrel follows.":
    "Le nombre de liens que Carrel suit à partir de la page de départ.",
  "Maximum pages": "Nombre maximal de pages",
  "Part of the site": "Partie du site",
  "Only the start page's folder": "Uniquement le dossier de la page de départ",
  "The whole site": "Tout le site",
  "Include linked files": "Inclure les fichiers liés",
  "PDFs and Office files that pages link to.":
    "PDF et fichiers Office vers lesquels pointent les pages.",
  "Run scripts": "Exécuter les scripts",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Pour les pages qui restent vides sans JavaScript. Prend quelques secondes par page et nécessite un navigateur installé sur le serveur par un admin.",
  "Excluded paths": "Chemins exclus",
  "One per line, such as /blog/archive.": "Un par ligne, par exemple /blog/archive.",
  "Use the sitemap": "Utiliser le plan de site",
  "Import the transcripts of a video, a playlist or a channel.":
    "Importe les transcriptions d’une vidéo, d’une playlist ou d’une chaîne.",
  "Video, playlist or channel": "Vidéo, playlist ou chaîne",
  "Transcript language": "Langue de la transcription",
  "A code such as en. By default, the language that is spoken.":
    "Un code tel que en. Par défaut, la langue parlée.",
  "Maximum videos": "Nombre maximal de vidéos",
  "The newest ones of a channel, and the first ones of a playlist.":
    "Les plus récentes d’une chaîne et les premières d’une playlist.",
};
