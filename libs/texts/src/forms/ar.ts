import type { FormTexts } from "./en.ts";

export const ar: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "استيراد صفحات مساحة في Confluence مع مرفقاتها وأذونات الاطلاع عليها.",
  Address: "العنوان",
  "The address of Confluence, or of any page in it.": "عنوان Confluence أو أي صفحة فيه.",
  Deployment: "نوع النشر",
  Cloud: "سحابي",
  "Self-hosted": "استضافة ذاتية",
  "Space key": "مفتاح المساحة",
  "Include attachments": "إدراج المرفقات",
  "PDFs, Office files and texts.": "ملفات PDF وOffice والنصوص.",
  "Include blog posts": "إدراج منشورات المدونة",
  "Maximum size of an attachment, in MB": "الحد الأقصى لحجم المرفق بالميغابايت",
  "Accept any certificate": "قبول أي شهادة",
  "For a self-hosted server with a self-signed certificate.":
    "لخادم مستضاف ذاتيًا بشهادة موقّعة ذاتيًا.",
  Username: "اسم المستخدم",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "في Confluence Cloud، عنوان بريدك الإلكتروني. غير مطلوب مع رمز وصول شخصي.",
  "API token or password": "رمز API أو كلمة المرور",
  "Personal access token": "رمز وصول شخصي",
  "Self-hosted only; instead of a username.": "للاستضافة الذاتية فقط، بدلاً من اسم المستخدم.",
  "Import the pages of spaces, with their attachments.": "استيراد صفحات المساحات مع مرفقاتها.",
  "Space IDs": "معرّفات المساحات",
  "One per line. Without any, every space that the token may read.":
    "معرّف واحد في كل سطر. إذا تُرك فارغًا، تُستورد كل المساحات التي يمكن للرمز قراءتها.",
  "Access token": "رمز الوصول",
  "RSS or Atom feed": "خلاصة RSS أو Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "استيراد مدخلات خلاصة، والجديدة منها عند ظهورها.",
  "The address of the feed, or of a page that has one.": "عنوان الخلاصة أو صفحة تحتوي عليها.",
  "Import full pages": "استيراد الصفحات كاملة",
  "For feeds that only have summaries: imports the page each entry links to.":
    "للخلاصات التي تحتوي على ملخصات فقط: تُستورد الصفحة التي يشير إليها كل مدخل.",
  "Maximum entries per import": "الحد الأقصى للمدخلات في كل استيراد",
  "Only for feeds that ask for a password.": "للخلاصات التي تطلب كلمة مرور فقط.",
  Password: "كلمة المرور",
  "Folder on the server": "مجلد على الخادم",
  "Import the files of a folder that an admin has allowed.": "استيراد ملفات مجلد سمح به مسؤول.",
  Folder: "المجلد",
  "One of the allowed folders, or a folder in one of them.":
    "أحد المجلدات المسموح بها أو مجلد داخلها.",
  "Ignored files": "الملفات المستبعدة",
  "One pattern per line, as in .gitignore.": "نمط واحد في كل سطر، كما في ‎.gitignore.",
  "Largest file, in MB": "الحد الأقصى لحجم الملف بالميغابايت",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "استيراد ملفات مستودع على Gitea أو Forgejo، مع المشكلات والويكي إن أردت.",
  Repository: "المستودع",
  Branch: "الفرع",
  "The default branch if empty.": "الفرع الافتراضي إذا تُرك فارغًا.",
  "Include issues": "إدراج المشكلات",
  "Each issue and its comments become one document.": "تصبح كل مشكلة مع تعليقاتها مستندًا واحدًا.",
  "Include the wiki": "إدراج الويكي",
  "Needed for private repositories. It may read repositories and issues.":
    "مطلوب للمستودعات الخاصة. يجب أن يسمح بقراءة المستودعات والمشكلات.",
  "Import the files of a repository, and its issues if you want.":
    "استيراد ملفات مستودع، مع المشكلات إن أردت.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "مطلوب للمستودعات الخاصة. يجب أن يسمح بقراءة المحتوى والمشكلات والبيانات الوصفية.",
  "Import the files of a project, and its issues and wiki if you want.":
    "استيراد ملفات مشروع، مع المشكلات والويكي إن أردت.",
  "Needed for private projects. Scope: read_api.": "مطلوب للمشاريع الخاصة. النطاق: read_api.",
  "Mailbox (IMAP)": "صندوق بريد (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "استيراد الرسائل مع مرفقاتها. يمكن لكل من في مساحة العمل قراءتها.",
  Server: "الخادم",
  Folders: "المجلدات",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "مجلد واحد في كل سطر. إذا تُرك فارغًا، تُستورد كل المجلدات عدا المسودات والبريد غير المرغوب فيه والمهملات.",
  Since: "منذ",
  "Only messages that arrived on this day or later.": "الرسائل التي وصلت في هذا اليوم أو بعده فقط.",
  Encryption: "التشفير",
  "A server on this machine can do without.": "يمكن الاستغناء عنه لخادم على هذا الجهاز.",
  None: "بلا",
  Port: "المنفذ",
  "By default 993, or 143 without TLS from the start.":
    "افتراضيًا 993، أو 143 إذا لم يُستخدم TLS منذ البداية.",
  "Largest message, in MB": "الحد الأقصى لحجم الرسالة بالميغابايت",
  "For a server with a self-signed certificate.": "لخادم بشهادة موقّعة ذاتيًا.",
  "Most providers require an app password.": "يطلب معظم المزوّدين كلمة مرور خاصة بالتطبيق.",
  "Import the issues of a project or a query, with their comments.":
    "استيراد مهام مشروع أو استعلام مع تعليقاتها.",
  "The address of Jira, or of any issue in it.": "عنوان Jira أو أي مهمة فيه.",
  "Project key": "مفتاح المشروع",
  "Query (JQL)": "الاستعلام (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "المهام المطابقة فقط، في المشروع أو في كل المشاريع إذا لم يُحدَّد.",
  "Include comments": "إدراج التعليقات",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "في Jira Cloud، عنوان بريدك الإلكتروني. غير مطلوب مع رمز وصول شخصي.",
  "Import the pages and databases that are shared with an integration.":
    "استيراد الصفحات وقواعد البيانات المشتركة مع تكامل.",
  "Integration secret": "سر التكامل",
  "Add the integration to each page or database that it may read.":
    "أضف التكامل إلى كل صفحة أو قاعدة بيانات يمكنه قراءتها.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "استيراد مستندات أرشيف Paperless-ngx مع وسومها.",
  Content: "المحتوى",
  "Files have pages that citations can show. The text is already recognised.":
    "للملفات صفحات يمكن أن تعرضها الاستشهادات. النص متعرَّف عليه مسبقًا.",
  "Text that Paperless recognised": "النص الذي تعرّف عليه Paperless",
  "Archived file": "الملف المؤرشف",
  "Original file": "الملف الأصلي",
  "Maximum size of a file, in MB": "الحد الأقصى لحجم الملف بالميغابايت",
  "API token": "رمز API",
  "From My Profile in Paperless-ngx.": "من «ملفي الشخصي» في Paperless-ngx.",
  "S3 bucket": "حاوية S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "استيراد ملفات حاوية على Amazon S3 أو MinIO أو R2 أو خادم متوافق.",
  Endpoint: "نقطة النهاية",
  "The server's address. Amazon S3 if empty.": "عنوان الخادم. Amazon S3 إذا تُرك فارغًا.",
  Region: "المنطقة",
  "us-east-1 if empty, which most compatible servers accept.":
    "us-east-1 إذا تُركت فارغة، وتقبلها معظم الخوادم المتوافقة.",
  Bucket: "الحاوية",
  Prefix: "البادئة",
  "Only files whose keys begin with it. Everything if empty.":
    "الملفات التي تبدأ مفاتيحها بها فقط. الكل إذا تُركت فارغة.",
  "Bucket in the path": "الحاوية في المسار",
  "Turn it off for servers that expect the bucket in the host name.":
    "أوقف هذا الخيار للخوادم التي تتوقع الحاوية في اسم المضيف.",
  "Access key ID": "معرّف مفتاح الوصول",
  "May list the bucket and read its files. None for public buckets.":
    "يجب أن يسمح بسرد الحاوية وقراءة ملفاتها. غير مطلوب للحاويات العامة.",
  "Secret access key": "مفتاح الوصول السري",
  "Nextcloud or WebDAV": "Nextcloud أو WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "استيراد ملفات مجلد على Nextcloud أو ownCloud أو أي خادم WebDAV.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "عنوان Nextcloud، أو مجلد كما يعرضه المتصفح، أو مجلد WebDAV.",
  "Everything if empty.": "كل شيء إذا تُرك فارغًا.",
  "App password": "كلمة مرور التطبيق",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "في Nextcloud من الإعدادات > الأمان. وفي غيره كلمة المرور المعتادة.",
  Website: "موقع ويب",
  "Import the pages of a site, following its links and sitemap.":
    "استيراد صفحات موقع باتباع روابطه وخريطته.",
  "Start page": "صفحة البداية",
  "Link depth": "عمق الروابط",
  "How many links away from the start page Carrel follows.":
    "عدد الروابط التي يتبعها Carrel بدءًا من صفحة البداية.",
  "Maximum pages": "الحد الأقصى للصفحات",
  "Part of the site": "جزء من الموقع",
  "Only the start page's folder": "مجلد صفحة البداية فقط",
  "The whole site": "الموقع كله",
  "Include linked files": "إدراج الملفات المرتبطة",
  "PDFs and Office files that pages link to.": "ملفات PDF وOffice التي تشير إليها الصفحات.",
  "Run scripts": "تشغيل النصوص البرمجية",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "للصفحات التي تبقى فارغة من دون JavaScript. يستغرق ثواني لكل صفحة، ويتطلب متصفحًا أعدّه المسؤول على الخادم.",
  "Excluded paths": "المسارات المستثناة",
  "One per line, such as /blog/archive.": "مسار واحد في كل سطر، مثل ‎/blog/archive.",
  "Use the sitemap": "استخدام خريطة الموقع",
  "Import the transcripts of a video, a playlist or a channel.":
    "استيراد نصوص مقطع فيديو أو قائمة تشغيل أو قناة.",
  "Video, playlist or channel": "مقطع فيديو أو قائمة تشغيل أو قناة",
  "Transcript language": "لغة النص",
  "A code such as en. By default, the language that is spoken.":
    "رمز مثل en. افتراضيًا اللغة المنطوقة.",
  "Maximum videos": "الحد الأقصى لمقاطع الفيديو",
  "The newest ones of a channel, and the first ones of a playlist.":
    "الأحدث في القناة، والأولى في قائمة التشغيل.",
};
