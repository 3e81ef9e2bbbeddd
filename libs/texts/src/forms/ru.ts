import type { FormTexts } from "./en.ts";

export const ru: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Импорт страниц раздела с вложениями и сведениями о том, кому они видны.",
  Address: "Адрес",
  "The address of Confluence, or of any page in it.": "Адрес Confluence или любой его страницы.",
  Deployment: "Размещение",
  Cloud: "Облако",
  "Self-hosted": "Свой сервер",
  "Space key": "Ключ раздела",
  "Include attachments": "Включать вложения",
  "PDFs, Office files and texts.": "PDF, файлы Office и тексты.",
  "Include blog posts": "Включать записи блога",
  "Maximum size of an attachment, in MB": "Максимальный размер вложения, МБ",
  "Accept any certificate": "Принимать любой сертификат",
  "For a self-hosted server with a self-signed certificate.":
    "Для своего сервера с самоподписанным сертификатом.",
  Username: "Имя пользователя",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "В Confluence Cloud — адрес эл. почты. С персональным токеном доступа не нужно.",
  "API token or password": "API-токен или пароль",
  "Personal access token": "Персональный токен доступа",
  "Self-hosted only; instead of a username.":
    "Только для своего сервера; вместо имени пользователя.",
  "Import the pages of spaces, with their attachments.": "Импорт страниц разделов с вложениями.",
  "Space IDs": "ID разделов",
  "One per line. Without any, every space that the token may read.":
    "По одному в строке. Если не указаны — все разделы, доступные токену.",
  "Access token": "Токен доступа",
  "RSS or Atom feed": "Лента RSS или Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "Импорт записей ленты, в том числе новых по мере появления.",
  "The address of the feed, or of a page that has one.":
    "Адрес ленты или страницы, на которой она есть.",
  "Import full pages": "Импортировать страницы целиком",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Для лент с одними анонсами: импортируется страница, на которую ведёт каждая запись.",
  "Maximum entries per import": "Максимум записей за импорт",
  "Only for feeds that ask for a password.": "Только для лент, которые требуют пароль.",
  Password: "Пароль",
  "Folder on the server": "Папка на сервере",
  "Import the files of a folder that an admin has allowed.":
    "Импорт файлов из папки, разрешённой администратором.",
  Folder: "Папка",
  "One of the allowed folders, or a folder in one of them.":
    "Одна из разрешённых папок или папка внутри неё.",
  "Ignored files": "Пропускать файлы",
  "One pattern per line, as in .gitignore.": "По одному шаблону в строке, как в .gitignore.",
  "Largest file, in MB": "Максимальный размер файла, МБ",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Импорт файлов репозитория на Gitea или Forgejo, а при желании — задач и вики.",
  Repository: "Репозиторий",
  Branch: "Ветка",
  "The default branch if empty.": "Если не указана — основная ветка.",
  "Include issues": "Включать задачи",
  "Each issue and its comments become one document.":
    "Каждая задача с комментариями становится одним документом.",
  "Include the wiki": "Включать вики",
  "Needed for private repositories. It may read repositories and issues.":
    "Нужен для закрытых репозиториев. Должен разрешать чтение репозиториев и задач.",
  "Import the files of a repository, and its issues if you want.":
    "Импорт файлов репозитория, а при желании — задач.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Нужен для закрытых репозиториев. Должен разрешать чтение содержимого, задач и метаданных.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Импорт файлов проекта, а при желании — задач и вики.",
  "Needed for private projects. Scope: read_api.":
    "Нужен для закрытых проектов. Область действия: read_api.",
  "Mailbox (IMAP)": "Почтовый ящик (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Импорт писем с вложениями. Их смогут читать все участники пространства.",
  Server: "Сервер",
  Folders: "Папки",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "По одной в строке. Если не указаны — все папки, кроме черновиков, спама и корзины.",
  Since: "Начиная с",
  "Only messages that arrived on this day or later.":
    "Только письма, полученные в этот день и позже.",
  Encryption: "Шифрование",
  "A server on this machine can do without.": "Серверу на этом же компьютере оно не обязательно.",
  None: "Нет",
  Port: "Порт",
  "By default 993, or 143 without TLS from the start.":
    "По умолчанию 993 или, если TLS включается не сразу, 143.",
  "Largest message, in MB": "Максимальный размер письма, МБ",
  "For a server with a self-signed certificate.": "Для сервера с самоподписанным сертификатом.",
  "Most providers require an app password.": "Большинству почтовых служб нужен пароль приложения.",
  "Import the issues of a project or a query, with their comments.":
    "Импорт задач проекта или запроса вместе с комментариями.",
  "The address of Jira, or of any issue in it.": "Адрес Jira или любой задачи в ней.",
  "Project key": "Ключ проекта",
  "Query (JQL)": "Запрос (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Только подходящие задачи: в проекте или, если он не указан, во всех.",
  "Include comments": "Включать комментарии",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "В Jira Cloud — адрес эл. почты. С персональным токеном доступа не нужно.",
  "Import the pages and databases that are shared with an integration.":
    "Импорт страниц и баз данных, к которым дан доступ интеграции.",
  "Integration secret": "Секрет интеграции",
  "Add the integration to each page or database that it may read.":
    "Добавьте интеграцию к каждой странице или базе данных, которую ей можно читать.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Импорт документов из архива Paperless-ngx с метками.",
  Content: "Содержимое",
  "Files have pages that citations can show. The text is already recognised.":
    "У файлов есть страницы, на которые можно сослаться. Текст уже распознан.",
  "Text that Paperless recognised": "Текст, распознанный в Paperless",
  "Archived file": "Архивный файл",
  "Original file": "Исходный файл",
  "Maximum size of a file, in MB": "Максимальный размер файла, МБ",
  "API token": "API-токен",
  "From My Profile in Paperless-ngx.": "Из раздела «Мой профиль» в Paperless-ngx.",
  "S3 bucket": "Бакет S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Импорт файлов из бакета Amazon S3, MinIO, R2 или совместимого сервера.",
  Endpoint: "Эндпоинт",
  "The server's address. Amazon S3 if empty.": "Адрес сервера. Если не указан — Amazon S3.",
  Region: "Регион",
  "us-east-1 if empty, which most compatible servers accept.":
    "Если не указан — us-east-1, его принимает большинство совместимых серверов.",
  Bucket: "Бакет",
  Prefix: "Префикс",
  "Only files whose keys begin with it. Everything if empty.":
    "Только файлы, ключи которых начинаются с него. Если не указан — все.",
  "Bucket in the path": "Бакет в пути",
  "Turn it off for servers that expect the bucket in the host name.":
    "Отключите для серверов, которые ждут бакет в имени хоста.",
  "Access key ID": "ID ключа доступа",
  "May list the bucket and read its files. None for public buckets.":
    "Должен разрешать просмотр бакета и чтение файлов. Для открытых бакетов не нужен.",
  "Secret access key": "Секретный ключ доступа",
  "Nextcloud or WebDAV": "Nextcloud или WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Импорт файлов из папки на Nextcloud, ownCloud или любом сервере WebDAV.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Адрес Nextcloud, папки из строки браузера или папки WebDAV.",
  "Everything if empty.": "Если не указана — всё.",
  "App password": "Пароль приложения",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "В Nextcloud — «Настройки > Безопасность». На других серверах — обычный пароль.",
  Website: "Сайт",
  "Import the pages of a site, following its links and sitemap.":
    "Импорт страниц сайта по ссылкам и карте сайта.",
  "Start page": "Начальная страница",
  "Link depth": "Глубина ссылок",
  "How many links away from the start page Carrel follows.":
    "По скольким ссылкам Carrel уходит от начальной страницы.",
  "Maximum pages": "Максимум страниц",
  "Part of the site": "Часть сайта",
  "Only the start page's folder": "Только папка начальной страницы",
  "The whole site": "Весь сайт",
  "Include linked files": "Включать файлы по ссылкам",
  "PDFs and Office files that pages link to.": "PDF и файлы Office, на которые ссылаются страницы.",
  "Run scripts": "Выполнять скрипты",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Для страниц, которые без JavaScript остаются пустыми. Занимает секунды на страницу; нужен браузер, установленный администратором на сервере.",
  "Excluded paths": "Исключённые пути",
  "One per line, such as /blog/archive.": "По одному в строке, например /blog/archive.",
  "Use the sitemap": "Использовать карту сайта",
  "Import the transcripts of a video, a playlist or a channel.":
    "Импорт расшифровок видео, плейлиста или канала.",
  "Video, playlist or channel": "Видео, плейлист или канал",
  "Transcript language": "Язык расшифровки",
  "A code such as en. By default, the language that is spoken.":
    "Код языка, например en. По умолчанию — язык речи.",
  "Maximum videos": "Максимум видео",
  "The newest ones of a channel, and the first ones of a playlist.":
    "Последние видео канала и первые видео плейлиста.",
};
