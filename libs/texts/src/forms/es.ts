import type { FormTexts } from "./en.ts";

export const es: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Importa las páginas de un espacio, con sus archivos adjuntos y permisos de lectura.",
  Address: "Dirección",
  "The address of Confluence, or of any page in it.":
    "La dirección de Confluence o de cualquiera de sus páginas.",
  Deployment: "Tipo de instalación",
  Cloud: "Nube",
  "Self-hosted": "Alojamiento propio",
  "Space key": "Clave del espacio",
  "Include attachments": "Incluir archivos adjuntos",
  "PDFs, Office files and texts.": "PDF, archivos de Office y textos.",
  "Include blog posts": "Incluir entradas de blog",
  "Maximum size of an attachment, in MB": "Tamaño máximo de un adjunto, en MB",
  "Accept any certificate": "Aceptar cualquier certificado",
  "For a self-hosted server with a self-signed certificate.":
    "Para un servidor propio con un certificado autofirmado.",
  Username: "Nombre de usuario",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "En Confluence Cloud, tu dirección de correo. No hace falta con un token de acceso personal.",
  "API token or password": "Token de API o contraseña",
  "Personal access token": "Token de acceso personal",
  "Self-hosted only; instead of a username.":
    "Solo con alojamiento propio; en lugar del nombre de usuario.",
  "Import the pages of spaces, with their attachments.":
    "Importa las páginas de espacios, con sus archivos adjuntos.",
  "Space IDs": "ID de los espacios",
  "One per line. Without any, every space that the token may read.":
    "Uno por línea. Si no hay ninguno, todos los espacios que el token puede leer.",
  "Access token": "Token de acceso",
  "RSS or Atom feed": "Feed RSS o Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "Importa las entradas de un feed, y las nuevas a medida que aparecen.",
  "The address of the feed, or of a page that has one.":
    "La dirección del feed o de una página que lo tenga.",
  "Import full pages": "Importar páginas completas",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Para feeds que solo tienen resúmenes: importa la página a la que enlaza cada entrada.",
  "Maximum entries per import": "Máximo de entradas por importación",
  "Only for feeds that ask for a password.": "Solo para feeds que piden contraseña.",
  Password: "Contraseña",
  "Folder on the server": "Carpeta del servidor",
  "Import the files of a folder that an admin has allowed.":
    "Importa los archivos de una carpeta que un administrador ha permitido.",
  Folder: "Carpeta",
  "One of the allowed folders, or a folder in one of them.":
    "Una de las carpetas permitidas, o una carpeta dentro de ellas.",
  "Ignored files": "Archivos ignorados",
  "One pattern per line, as in .gitignore.": "Un patrón por línea, como en .gitignore.",
  "Largest file, in MB": "Tamaño máximo de un archivo, en MB",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Importa los archivos de un repositorio de Gitea o Forgejo y, si quieres, sus issues y su wiki.",
  Repository: "Repositorio",
  Branch: "Rama",
  "The default branch if empty.": "La rama predeterminada si se deja vacío.",
  "Include issues": "Incluir issues",
  "Each issue and its comments become one document.":
    "Cada issue se convierte en un documento con sus comentarios.",
  "Include the wiki": "Incluir la wiki",
  "Needed for private repositories. It may read repositories and issues.":
    "Necesario para repositorios privados. Debe poder leer repositorios e issues.",
  "Import the files of a repository, and its issues if you want.":
    "Importa los archivos de un repositorio y, si quieres, sus issues.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Necesario para repositorios privados. Debe poder leer contenido, issues y metadatos.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Importa los archivos de un proyecto y, si quieres, sus issues y su wiki.",
  "Needed for private projects. Scope: read_api.":
    "Necesario para proyectos privados. Alcance: read_api.",
  "Mailbox (IMAP)": "Buzón de correo (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Importa mensajes con sus archivos adjuntos. Podrán leerlos todas las personas del espacio de trabajo.",
  Server: "Servidor",
  Folders: "Carpetas",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Una por línea. Si no hay ninguna, todas las carpetas menos borradores, spam y papelera.",
  Since: "Desde",
  "Only messages that arrived on this day or later.":
    "Solo los mensajes que llegaron ese día o después.",
  Encryption: "Cifrado",
  "A server on this machine can do without.":
    "Un servidor en este mismo equipo puede prescindir de él.",
  None: "Ninguno",
  Port: "Puerto",
  "By default 993, or 143 without TLS from the start.":
    "De forma predeterminada 993, o 143 si no se usa TLS desde el inicio.",
  "Largest message, in MB": "Tamaño máximo de un mensaje, en MB",
  "For a server with a self-signed certificate.":
    "Para un servidor con un certificado autofirmado.",
  "Most providers require an app password.":
    "La mayoría de los proveedores exige una contraseña de aplicación.",
  "Import the issues of a project or a query, with their comments.":
    "Importa las incidencias de un proyecto o de una consulta, con sus comentarios.",
  "The address of Jira, or of any issue in it.":
    "La dirección de Jira o de cualquiera de sus incidencias.",
  "Project key": "Clave del proyecto",
  "Query (JQL)": "Consulta (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Solo las incidencias que coincidan, en el proyecto o, si no se indica, en todos.",
  "Include comments": "Incluir comentarios",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "En Jira Cloud, tu dirección de correo. No hace falta con un token de acceso personal.",
  "Import the pages and databases that are shared with an integration.":
    "Importa las páginas y bases de datos compartidas con una integración.",
  "Integration secret": "Secreto de la integración",
  "Add the integration to each page or database that it may read.":
    "Añade la integración a cada página o base de datos que pueda leer.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Importa los documentos de un archivo de Paperless-ngx, con sus etiquetas.",
  Content: "Contenido",
  "Files have pages that citations can show. The text is already recognised.":
    "Los archivos tienen páginas que las citas pueden mostrar. El texto ya está reconocido.",
  "Text that Paperless recognised": "Texto reconocido por Paperless",
  "Archived file": "Archivo archivado",
  "Original file": "Archivo original",
  "Maximum size of a file, in MB": "Tamaño máximo de un archivo, en MB",
  "API token": "Token de API",
  "From My Profile in Paperless-ngx.": "De “Mi perfil” en Paperless-ngx.",
  "S3 bucket": "Bucket de S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Importa los archivos de un bucket de Amazon S3, MinIO, R2 o un servidor compatible.",
  Endpoint: "Endpoint",
  "The server's address. Amazon S3 if empty.":
    "La dirección del servidor. Amazon S3 si se deja vacío.",
  Region: "Región",
  "us-east-1 if empty, which most compatible servers accept.":
    "us-east-1 si se deja vacío, algo que acepta la mayoría de los servidores compatibles.",
  Bucket: "Bucket",
  Prefix: "Prefijo",
  "Only files whose keys begin with it. Everything if empty.":
    "Solo los archivos cuya clave empieza así. Todos si se deja vacío.",
  "Bucket in the path": "Bucket en la ruta",
  "Turn it off for servers that expect the bucket in the host name.":
    "Desactívalo para servidores que esperan el bucket en el nombre del host.",
  "Access key ID": "ID de la clave de acceso",
  "May list the bucket and read its files. None for public buckets.":
    "Puede listar el bucket y leer sus archivos. Ninguna para buckets públicos.",
  "Secret access key": "Clave de acceso secreta",
  "Nextcloud or WebDAV": "Nextcloud o WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Importa los archivos de una carpeta de Nextcloud, ownCloud o cualquier servidor WebDAV.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "La de Nextcloud, la de una carpeta tal como la muestra el navegador o la de una carpeta WebDAV.",
  "Everything if empty.": "Todo si se deja vacío.",
  "App password": "Contraseña de aplicación",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "En Nextcloud, en Configuración > Seguridad. En otros casos, la contraseña.",
  Website: "Sitio web",
  "Import the pages of a site, following its links and sitemap.":
    "Importa las páginas de un sitio siguiendo sus enlaces y su mapa del sitio.",
  "Start page": "Página de inicio",
  "Link depth": "Profundidad de enlaces",
  "How many links away from the start page Carrel follows.":
    "Cuántos enlaces sigue Carrel a partir de la página de inicio.",
  "Maximum pages": "Máximo de páginas",
  "Part of the site": "Parte del sitio",
  "Only the start page's folder": "Solo la carpeta de la página de inicio",
  "The whole site": "Todo el sitio",
  "Include linked files": "Incluir archivos enlazados",
  "PDFs and Office files that pages link to.":
    "PDF y archivos de Office a los que enlazan las páginas.",
  "Run scripts": "Ejecutar scripts",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Para páginas que quedan vacías sin JavaScript. Tarda segundos por página y necesita un navegador que un administrador haya configurado en el servidor.",
  "Excluded paths": "Rutas excluidas",
  "One per line, such as /blog/archive.": "Una por línea, como /blog/archive.",
  "Use the sitemap": "Usar el mapa del sitio",
  "Import the transcripts of a video, a playlist or a channel.":
    "Importa las transcripciones de un video, una lista de reproducción o un canal.",
  "Video, playlist or channel": "Video, lista de reproducción o canal",
  "Transcript language": "Idioma de la transcripción",
  "A code such as en. By default, the language that is spoken.":
    "Un código como en. De forma predeterminada, el idioma que se habla.",
  "Maximum videos": "Máximo de videos",
  "The newest ones of a channel, and the first ones of a playlist.":
    "Los más recientes de un canal y los primeros de una lista de reproducción.",
};
