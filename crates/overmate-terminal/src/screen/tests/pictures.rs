//! Compares whole screens with their snapshots, which are stored as text files in `pictures/`. With `OVERMATE_WRITE_PICTURES=1` the test
//! writes these files.

use std::env;
use std::fs;
use std::path::Path;

use ratatui::crossterm::event::KeyCode;

use super::TestTable;
use crate::charset::Charset;
use crate::screen::app::CursorTarget;

/// Screen for a snapshot test: the name of the snapshot, the match, the pressed keys, and the card under the cursor.
struct Scene {
    name: &'static str,
    size: (u16, u16),
    rules: &'static str,
    actions: &'static str,
    keys: &'static str,
    card: Option<&'static str>,
    charset: Charset,
}

const SCENES: [Scene; 9] = [
    Scene::new("foreplacing", (80, 24), "sackson", ""),
    Scene { card: Some("Kh"), ..Scene::new("mate-in-sight", (80, 24), "sackson", MATE) },
    Scene { keys: "[[", ..Scene::new("mate", (80, 24), "sackson", "(Tc) (Qh) As 7s Ah 7h Kh") },
    Scene { card: Some("Ks"), ..Scene::new("answer", (80, 24), "bga", "Tc Ac 7s") },
    Scene { card: Some("Kh"), ..Scene::new("smallest", (60, 20), "sackson", MATE) },
    Scene {
        card: Some("Kh"),
        charset: Charset::Ascii,
        ..Scene::new("ascii", (60, 20), "sackson", MATE)
    },
    Scene { keys: "i", ..Scene::new("double", (80, 24), "bga+double", "") },
    Scene::new("chess", (100, 30), "rael", "- -"),
    Scene::new("pinochle", (80, 24), "bga+pinochle", ""),
];

/// Actions in a game of deal 20010 after which the seat *first* can give mate with the king of hearts.
const MATE: &str = "(Tc) (Qh) As 7s Ah 7h";

impl Scene {
    const fn new(
        name: &'static str,
        size: (u16, u16),
        rules: &'static str,
        actions: &'static str,
    ) -> Self {
        Self { name, size, rules, actions, keys: "", card: None, charset: Charset::Utf8 }
    }

    fn draw(&self) -> String {
        let mut table = TestTable::after(self.rules, 20_010, self.actions, self.charset);
        table.resize(self.size.0, self.size.1);
        table.key(KeyCode::Esc);
        table.keys(self.keys);
        if let Some(card) = self.card {
            let deck = table.app.controller.rules().deck();
            table.app.cursor = CursorTarget::Card(deck.read_card(card).unwrap());
            table.draw();
        }
        table.shown()
    }
}

#[test]
fn screens_equal_their_pictures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/screen/tests/pictures");
    let writes = env::var_os("OVERMATE_WRITE_PICTURES").is_some();
    let mut compared = 0;
    for scene in SCENES {
        let path = folder.join(format!("{}.txt", scene.name));
        let shown = scene.draw();
        if writes {
            fs::write(&path, &shown).unwrap();
        }
        let picture = fs::read_to_string(&path).unwrap_or_default();
        assert!(shown == picture, "{}:\n{shown}\n{picture}", scene.name);
        compared += 1;
    }
    assert_eq!(compared, fs::read_dir(folder).unwrap().count());
}

#[test]
fn the_readme_shows_the_present_board() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let picture = SCENES[1].draw();
    assert!(readme.contains(&format!("```text\n{picture}```")), "{picture}");
}
