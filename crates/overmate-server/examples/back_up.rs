//! Makes a backup of a data folder, restores the backup into another folder, and examines that folder.

use overmate_server::{Server, Settings, back_up, examine, restore};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let [data, restored] = ["data", "restored"].map(|name| folder.path().join(name));
    // The call of `Server::open` creates the database in the data folder.
    drop(Server::open(Settings::new(data.clone())).await?);

    let copy = back_up(&data, &folder.path().join("backup.db"), false).await?;
    println!("{} bytes, {} matches", copy.bytes, copy.contents.matches);
    restore(&copy.file, &restored, false).await?;
    for finding in examine(&restored.into()).await {
        println!("{:?} {}: {}", finding.verdict, finding.subject, finding.text);
    }
    Ok(())
}
