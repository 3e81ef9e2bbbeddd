import type { FormTexts } from "./en.ts";

export const fa: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "صفحه‌های یک فضا را همراه با پیوست‌ها و مجوزهای مشاهده درون‌ریزی می‌کند.",
  Address: "نشانی",
  "The address of Confluence, or of any page in it.": "نشانی Confluence یا هر صفحه‌ای در آن.",
  Deployment: "نوع استقرار",
  Cloud: "ابری",
  "Self-hosted": "میزبانی شخصی",
  "Space key": "کلید فضا",
  "Include attachments": "همراه با پیوست‌ها",
  "PDFs, Office files and texts.": "فایل‌های PDF و Office و متن‌ها.",
  "Include blog posts": "همراه با نوشته‌های وبلاگ",
  "Maximum size of an attachment, in MB": "حداکثر اندازه پیوست (مگابایت)",
  "Accept any certificate": "پذیرش هر گواهی",
  "For a self-hosted server with a self-signed certificate.": "برای سرور شخصی با گواهی خودامضا.",
  Username: "نام کاربری",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "در Confluence Cloud، نشانی ایمیل شما. با توکن دسترسی شخصی لازم نیست.",
  "API token or password": "توکن API یا گذرواژه",
  "Personal access token": "توکن دسترسی شخصی",
  "Self-hosted only; instead of a username.": "فقط در میزبانی شخصی؛ به‌جای نام کاربری.",
  "Import the pages of spaces, with their attachments.":
    "صفحه‌های فضاها را همراه با پیوست‌ها درون‌ریزی می‌کند.",
  "Space IDs": "شناسه فضاها",
  "One per line. Without any, every space that the token may read.":
    "هر سطر یکی. اگر خالی باشد، همه فضاهایی که توکن می‌تواند بخواند.",
  "Access token": "توکن دسترسی",
  "RSS or Atom feed": "خوراک RSS یا Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "مطالب یک خوراک و مطالب تازه آن را به‌محض انتشار درون‌ریزی می‌کند.",
  "The address of the feed, or of a page that has one.": "نشانی خوراک یا صفحه‌ای که خوراک دارد.",
  "Import full pages": "درون‌ریزی صفحه کامل",
  "For feeds that only have summaries: imports the page each entry links to.":
    "برای خوراک‌هایی که فقط خلاصه دارند: صفحه‌ای را که هر مطلب به آن پیوند دارد درون‌ریزی می‌کند.",
  "Maximum entries per import": "حداکثر مطالب در هر بار",
  "Only for feeds that ask for a password.": "فقط برای خوراک‌هایی که گذرواژه می‌خواهند.",
  Password: "گذرواژه",
  "Folder on the server": "پوشه‌ای روی سرور",
  "Import the files of a folder that an admin has allowed.":
    "فایل‌های پوشه‌ای را که مدیر مجاز کرده است درون‌ریزی می‌کند.",
  Folder: "پوشه",
  "One of the allowed folders, or a folder in one of them.":
    "یکی از پوشه‌های مجاز یا پوشه‌ای درون آن‌ها.",
  "Ignored files": "فایل‌های نادیده‌گرفته‌شده",
  "One pattern per line, as in .gitignore.": "هر سطر یک الگو، مانند ‎.gitignore.",
  "Largest file, in MB": "حداکثر اندازه فایل (مگابایت)",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "فایل‌های یک مخزن در Gitea یا Forgejo و در صورت تمایل issueها و ویکی آن را درون‌ریزی می‌کند.",
  Repository: "مخزن",
  Branch: "شاخه",
  "The default branch if empty.": "اگر خالی باشد، شاخه پیش‌فرض.",
  "Include issues": "همراه با issueها",
  "Each issue and its comments become one document.": "هر issue با نظرهایش یک سند می‌شود.",
  "Include the wiki": "همراه با ویکی",
  "Needed for private repositories. It may read repositories and issues.":
    "برای مخزن‌های خصوصی لازم است. باید بتواند مخزن‌ها و issueها را بخواند.",
  "Import the files of a repository, and its issues if you want.":
    "فایل‌های یک مخزن و در صورت تمایل issueهای آن را درون‌ریزی می‌کند.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "برای مخزن‌های خصوصی لازم است. باید بتواند محتوا، issueها و فراداده را بخواند.",
  "Import the files of a project, and its issues and wiki if you want.":
    "فایل‌های یک پروژه و در صورت تمایل issueها و ویکی آن را درون‌ریزی می‌کند.",
  "Needed for private projects. Scope: read_api.": "برای پروژه‌های خصوصی لازم است. دامنه: read_api.",
  "Mailbox (IMAP)": "صندوق ایمیل (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "پیام‌ها را همراه با پیوست‌ها درون‌ریزی می‌کند. همه افراد فضای کاری می‌توانند آن‌ها را بخوانند.",
  Server: "سرور",
  Folders: "پوشه‌ها",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "هر سطر یکی. اگر خالی باشد، همه پوشه‌ها به‌جز پیش‌نویس‌ها، هرزنامه و زباله‌دان.",
  Since: "از تاریخ",
  "Only messages that arrived on this day or later.":
    "فقط پیام‌هایی که در این روز یا پس از آن رسیده‌اند.",
  Encryption: "رمزگذاری",
  "A server on this machine can do without.": "سروری که روی همین دستگاه است به آن نیاز ندارد.",
  None: "بدون رمزگذاری",
  Port: "درگاه",
  "By default 993, or 143 without TLS from the start.":
    "پیش‌فرض ۹۹۳ است، یا ۱۴۳ اگر TLS از آغاز به کار نرود.",
  "Largest message, in MB": "حداکثر اندازه پیام (مگابایت)",
  "For a server with a self-signed certificate.": "برای سروری با گواهی خودامضا.",
  "Most providers require an app password.": "بیشتر ارائه‌دهندگان گذرواژه برنامه می‌خواهند.",
  "Import the issues of a project or a query, with their comments.":
    "issueهای یک پروژه یا پرس‌وجو را همراه با نظرها درون‌ریزی می‌کند.",
  "The address of Jira, or of any issue in it.": "نشانی Jira یا هر issue در آن.",
  "Project key": "کلید پروژه",
  "Query (JQL)": "پرس‌وجو (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "فقط issueهای منطبق، در پروژه یا اگر پروژه‌ای تعیین نشده باشد در همه.",
  "Include comments": "همراه با نظرها",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "در Jira Cloud، نشانی ایمیل شما. با توکن دسترسی شخصی لازم نیست.",
  "Import the pages and databases that are shared with an integration.":
    "صفحه‌ها و پایگاه‌های داده‌ای را که با یک یکپارچه‌سازی به اشتراک گذاشته شده‌اند درون‌ریزی می‌کند.",
  "Integration secret": "کلید محرمانه یکپارچه‌سازی",
  "Add the integration to each page or database that it may read.":
    "یکپارچه‌سازی را به هر صفحه یا پایگاه داده‌ای که می‌تواند بخواند بیفزایید.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "اسناد یک بایگانی Paperless-ngx را همراه با برچسب‌ها درون‌ریزی می‌کند.",
  Content: "محتوا",
  "Files have pages that citations can show. The text is already recognised.":
    "فایل‌ها صفحه‌هایی دارند که ارجاع‌ها می‌توانند نشان دهند. متن از پیش بازشناسی شده است.",
  "Text that Paperless recognised": "متنی که Paperless بازشناسی کرده",
  "Archived file": "فایل بایگانی‌شده",
  "Original file": "فایل اصلی",
  "Maximum size of a file, in MB": "حداکثر اندازه فایل (مگابایت)",
  "API token": "توکن API",
  "From My Profile in Paperless-ngx.": "از «نمایه من» در Paperless-ngx.",
  "S3 bucket": "باکت S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "فایل‌های یک باکت در Amazon S3، MinIO، R2 یا سروری سازگار را درون‌ریزی می‌کند.",
  Endpoint: "نقطه پایانی",
  "The server's address. Amazon S3 if empty.": "نشانی سرور. اگر خالی باشد، Amazon S3.",
  Region: "منطقه",
  "us-east-1 if empty, which most compatible servers accept.":
    "اگر خالی باشد us-east-1 که بیشتر سرورهای سازگار می‌پذیرند.",
  Bucket: "باکت",
  Prefix: "پیشوند",
  "Only files whose keys begin with it. Everything if empty.":
    "فقط فایل‌هایی که کلیدشان با آن آغاز می‌شود. اگر خالی باشد، همه.",
  "Bucket in the path": "باکت در مسیر",
  "Turn it off for servers that expect the bucket in the host name.":
    "برای سرورهایی که باکت را در نام میزبان می‌خواهند خاموش کنید.",
  "Access key ID": "شناسه کلید دسترسی",
  "May list the bucket and read its files. None for public buckets.":
    "باید بتواند باکت را فهرست کند و فایل‌هایش را بخواند. برای باکت‌های عمومی لازم نیست.",
  "Secret access key": "کلید دسترسی محرمانه",
  "Nextcloud or WebDAV": "Nextcloud یا WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "فایل‌های پوشه‌ای در Nextcloud، ownCloud یا هر سرور WebDAV را درون‌ریزی می‌کند.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "نشانی Nextcloud، پوشه‌ای همان‌گونه که مرورگر نشان می‌دهد، یا پوشه WebDAV.",
  "Everything if empty.": "اگر خالی باشد، همه‌چیز.",
  "App password": "گذرواژه برنامه",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "در Nextcloud از تنظیمات > امنیت. در جاهای دیگر، گذرواژه معمول.",
  Website: "وب‌سایت",
  "Import the pages of a site, following its links and sitemap.":
    "صفحه‌های یک سایت را با دنبال کردن پیوندها و نقشه سایت درون‌ریزی می‌کند.",
  "Start page": "صفحه آغاز",
  "Link depth": "عمق پیوندها",
  "How many links away from the start page Carrel follows.":
    "Carrel تا چند پیوند از صفحه آغاز دور می‌شود.",
  "Maximum pages": "حداکثر صفحه‌ها",
  "Part of the site": "بخشی از سایت",
  "Only the start page's folder": "فقط پوشه صفحه آغاز",
  "The whole site": "همه سایت",
  "Include linked files": "همراه با فایل‌های پیوندشده",
  "PDFs and Office files that pages link to.":
    "فایل‌های PDF و Office که صفحه‌ها به آن‌ها پیوند دارند.",
  "Run scripts": "اجرای اسکریپت‌ها",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "برای صفحه‌هایی که بدون JavaScript خالی می‌مانند. برای هر صفحه چند ثانیه زمان می‌برد و به مرورگری نیاز دارد که مدیر روی سرور راه‌اندازی کرده باشد.",
  "Excluded paths": "مسیرهای کنارگذاشته‌شده",
  "One per line, such as /blog/archive.": "هر سطر یکی، مانند ‎/blog/archive.",
  "Use the sitemap": "استفاده از نقشه سایت",
  "Import the transcripts of a video, a playlist or a channel.":
    "متن گفتار یک ویدیو، فهرست پخش یا کانال را درون‌ریزی می‌کند.",
  "Video, playlist or channel": "ویدیو، فهرست پخش یا کانال",
  "Transcript language": "زبان متن گفتار",
  "A code such as en. By default, the language that is spoken.":
    "کدی مانند en. پیش‌فرض، زبان گفتار است.",
  "Maximum videos": "حداکثر ویدیوها",
  "The newest ones of a channel, and the first ones of a playlist.":
    "تازه‌ترین ویدیوهای کانال و نخستین ویدیوهای فهرست پخش.",
};
